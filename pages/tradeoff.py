"""What sparsity costs, and the best model with so many features."""

from pages.shared import frame
from pages.views.tradeoff import page as tradeoff_page

frame.draw_for_choice(tradeoff_page.render)
