"""Nasty names of features, queries, documents and files in a browser: letters, and nothing else."""

from __future__ import annotations

from core.names.plain import visible
from core.names.short import short_names
from tests.app.shown_names import nasty_csv
from tests.browser.lab import Lab
from tests.names.nasty import NASTY

STEM = "a*b*c <b>x<b> ![p](http:evil.example) $x$ :smile: -> y"
COLUMNS = [name.strip() for name in NASTY]
LABELS = {
    " ".join(visible(label).split())
    for longest in (16, 19, 22, 26, 34)
    for label in short_names(COLUMNS, range(len(COLUMNS)), longest)
}
INTERPRETED = """() => [...document.querySelectorAll(
  '[src*="evil"], [href*="evil"], .katex:not(.st-key-objective *), [data-testid="stMarkdownContainer"] img',
)].map(found => found.outerHTML.slice(0, 200))"""
WORDS = """() => [...document.querySelectorAll('.ytick text, .annotation-text')].map(text => text.textContent.trim())"""
LETTERS = set("<>*$`&=@")


def test_names_are_shown_letter_by_letter_and_nothing_is_fetched(lab: Lab) -> None:
    """Requests that leave the machine fail every test; see `tests.browser.watch`."""
    lab.open("data")
    lab.drop(f"{STEM}.csv", nasty_csv())
    lab.wait()
    heading = lab.page.locator("h2").first.inner_text()
    assert STEM in " ".join(heading.split()), heading
    seen: set[str] = set()
    for page in ("Lab", "Path", "Features", "Queries", "Fit"):
        lab.go_to(page)
        lab.wait()
        assert lab.page.evaluate(INTERPRETED) == [], page
        seen |= {" ".join(word.split()) for word in lab.page.evaluate(WORDS)}
    labels = {word for word in seen if word in LABELS}
    assert len(labels) >= 10, seen  # of what the pictures write beside their axes, enough are whole names
    strange = {word for word in seen - LABELS if LETTERS & set(word) and not word.startswith(("λ", "|"))}
    assert not strange, strange
