"""Lessons that ask before they show."""

from pages.shared import frame
from pages.views.lessons import page as lessons_page

if frame.entered():
    lessons_page.render()
