"""What sparsity costs, and the best model with so many features."""

from pages.shared import frame
from pages.views.tradeoff import page as tradeoff_page

if frame.entered():
    tradeoff_page.render()
