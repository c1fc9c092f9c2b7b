"""Regularization paths of several penalties side by side, and C chosen on them."""

from pages.shared import frame
from pages.views.path import page as path_page

frame.draw_for_choice(path_page.render)
