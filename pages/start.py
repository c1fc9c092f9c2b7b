"""Where people arrive: the Lab, the whole question on one screen."""

from pages.shared import frame
from pages.views.start import page as start_page

if frame.entered():
    start_page.render()
