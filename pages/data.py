"""Look at the data before anything is fitted."""

from pages.shared import frame
from pages.views.data import page as data_page

if frame.entered():
    data_page.render()
