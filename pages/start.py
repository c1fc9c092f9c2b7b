"""Where people arrive: what this is, and one click into a working example."""

from pages.shared import frame, start_page

if frame.entered():
    start_page.render()
