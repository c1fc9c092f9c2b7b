"""Look at the data before anything is fitted."""

from pages.shared import data_page, frame

if frame.entered():
    data_page.render()
