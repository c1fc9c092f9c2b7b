"""What every method minimises and how fast, and any of them side by side."""

from pages.shared import frame
from pages.views.methods import page as methods_page

if frame.entered():
    methods_page.render()
