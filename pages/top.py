"""Positives and negatives of a list as two strips, and how many stand above the top negative."""

from pages.shared import frame
from pages.views.top import page as toplist_page

frame.draw_for_choice(toplist_page.render)
