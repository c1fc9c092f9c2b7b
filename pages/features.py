"""Which features are kept, how surely, and what happens without them."""

from pages.shared import frame
from pages.views.features import page as features_page

if frame.entered():
    features_page.render()
