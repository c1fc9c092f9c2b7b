"""What every method minimises and how fast, and any of them side by side."""

from pages.shared import frame, methods_page

if frame.entered():
    methods_page.render()
