"""What penalties do to weights, for the classroom."""

from pages.shared import frame
from pages.views.penalties import page as penalties_page

if frame.entered():
    penalties_page.render()
