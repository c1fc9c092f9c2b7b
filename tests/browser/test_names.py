"""Nasty names of features, queries, documents and files in a browser: letters, and nothing else."""

import pytest
from playwright.sync_api import expect

from tests.app.shown_names import nasty_csv
from tests.browser.lab import Lab
from tests.program_pages import EXPECTED, ROWS

STEM = "a*b*c <b>x<b> ![p](http:evil.example) $x$ :smile: -> y"
INTERPRETED = """() => [...document.querySelectorAll(
  '[src*="evil"], [href*="evil"], .katex:not(.st-key-objective *), [data-testid="stMarkdownContainer"] img',
)].map(found => found.outerHTML.slice(0, 200))"""
DOWNLOAD = 'button[aria-label="Download as CSV"], [aria-label="Download as CSV"] button'
HAS_FOCUS = "table => table.contains(document.activeElement)"


@pytest.mark.more
def test_names_are_letters_and_no_cells_that_are_formulas_leave_a_table_by_download_or_copy(lab: Lab) -> None:
    """Requests that leave the machine fail every test; see `tests.browser.conftest.Watch`."""
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lab.open("data")
    lab.drop(f"{STEM}.csv", nasty_csv())
    lab.wait()
    heading = lab.page.locator("h2").first.inner_text()
    assert STEM in " ".join(heading.split()), heading
    offers_no_way_out_of_a_table(lab)
    for page in (page for page, row in EXPECTED.items() if row.names):
        lab.go_to(ROWS[page].title)
        lab.wait()
        assert lab.page.evaluate(INTERPRETED) == [], page


def offers_no_way_out_of_a_table(lab: Lab) -> None:
    """Streamlit's own download and copying write cells as they are, and a spreadsheet takes some for formulas."""
    table = lab.page.locator('[data-testid="stDataFrame"]').first
    tools = lab.page.locator('[data-testid="stFullScreenFrame"]').filter(has=table)
    table.scroll_into_view_if_needed()
    for place in ("on the page", "full screen"):
        if place == "full screen":
            tools.get_by_role("button", name="Fullscreen").click()
            expect(tools.get_by_role("button", name="Close fullscreen")).to_be_visible()
        table.hover()
        expect(tools.get_by_role("button", name="Search")).to_be_visible()
        assert lab.page.locator(DOWNLOAD).count() == 0, place
        lab.page.evaluate("navigator.clipboard.writeText('as before')")
        for _ in range(20):  # on the way to the full screen the table is drawn anew, and forgets who has clicked
            table.click(position={"x": 60, "y": 60})
            lab.page.wait_for_timeout(250)
            if table.evaluate(HAS_FOCUS):
                break
        assert table.evaluate(HAS_FOCUS), place
        lab.page.keyboard.press("Control+a")
        lab.page.keyboard.press("Control+c")
        lab.page.wait_for_timeout(500)
        assert lab.page.evaluate("navigator.clipboard.readText()") == "as before", place
    tools.get_by_role("button", name="Close fullscreen").click()
    lab.wait()
