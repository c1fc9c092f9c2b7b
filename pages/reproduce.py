"""The papers' protocol on any datasets and methods, beside the published numbers."""

from pages.shared import frame
from pages.views.reproduce import page as reproduce_page

if frame.entered():
    reproduce_page.render()
