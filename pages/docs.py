"""The documentation that comes with the program."""

from pages.shared import frame
from pages.views.docs import page as docs_page

if frame.entered():
    docs_page.render()
