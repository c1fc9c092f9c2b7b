"""Fit one model and watch it converge."""

from pages.shared import frame
from pages.views.fit import page as fit_page

frame.draw_for_choice(fit_page.render)
