"""Where people arrive: what this is, and one click into a working example."""

from pages.shared import frame
from pages.views.start import page as start_page

if frame.entered():
    start_page.render()
