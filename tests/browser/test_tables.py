"""What a table on a page offers: all but Streamlit's own download, whose cells a spreadsheet takes for formulas."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.app.shown_names import nasty_csv
from tests.browser.lab import Lab

DOWNLOAD = 'button[aria-label="Download as CSV"], [aria-label="Download as CSV"] button'


def test_a_table_has_no_download_of_cells_that_are_formulas(lab: Lab) -> None:
    lab.open("data")
    lab.drop("nasty.csv", nasty_csv())
    lab.wait()
    table = lab.page.locator('[data-testid="stDataFrame"]').first
    tools = lab.page.locator('[data-testid="stFullScreenFrame"]').filter(has=table)
    table.scroll_into_view_if_needed()
    for place in ("on the page", "full screen"):
        if place == "full screen":
            tools.get_by_role("button", name="Fullscreen").click()
            expect(tools.get_by_role("button", name="Close fullscreen")).to_be_visible()
        table.hover()
        expect(tools.get_by_role("button", name="Search")).to_be_visible()
        downloads = lab.page.locator(DOWNLOAD)
        assert downloads.count() > 0, place  # Streamlit still calls it so
        assert not any(button.is_visible() for button in downloads.all()), place
