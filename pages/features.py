"""Which features are kept, how surely, and what happens without them."""

from pages.shared import features_page, frame

if frame.entered():
    features_page.render()
