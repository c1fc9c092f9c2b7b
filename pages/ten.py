"""The best model within a budget of features or of their cost, and the way out with it."""

from pages.shared import frame
from pages.views.ten import page as ten_page

frame.draw_for_choice(ten_page.render)
