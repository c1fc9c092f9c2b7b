"""The list of any query under two models, and which queries gain or lose."""

from pages.shared import frame
from pages.views.queries import page as queries_page

frame.draw_for_choice(queries_page.render)
