"""Which features are kept, how surely, and what happens without them."""

from pages.shared import frame
from pages.views.features import page as features_page

frame.draw_for_choice(features_page.render)
