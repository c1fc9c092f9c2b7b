"""What penalties do to weights, for the classroom."""

from pages.shared import frame, penalties_page

if frame.entered():
    penalties_page.render()
