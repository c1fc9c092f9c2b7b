"""How every number of the program comes about."""

from pages.shared import frame, numbers_page

if frame.entered():
    numbers_page.render()
