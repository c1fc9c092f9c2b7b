"""The list of any query under two models, and which queries gain or lose."""

from pages.shared import frame
from pages.views.queries import page as queries_page

if frame.entered():
    queries_page.render()
