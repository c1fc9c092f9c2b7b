"""How every number of the program comes about."""

from pages.shared import frame
from pages.views.numbers import page as numbers_page

if frame.entered():
    numbers_page.render()
