"""Regularization paths of several penalties side by side, and C chosen on them."""

from pages.shared import frame
from pages.views.path import page as path_page

if frame.entered():
    path_page.render()
