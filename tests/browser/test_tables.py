"""What a table on a page offers: all but Streamlit's own ways out, whose cells a spreadsheet takes for formulas."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.app.shown_names import nasty_csv
from tests.browser.lab import Lab

DOWNLOAD = 'button[aria-label="Download as CSV"], [aria-label="Download as CSV"] button'

HAS_FOCUS = "table => table.contains(document.activeElement)"


def test_no_cells_that_are_formulas_leave_a_table_by_download_or_copy(lab: Lab) -> None:
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
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
