"""Every page for everybody: axe finds nothing that is ours, in both themes, and letters of pictures stand out."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.axe import in_theme, pale_letters, violations
from tests.browser.lab import Lab
from tests.cases import sweep

PAGES = [
    ("fit", {}),
    ("queries", {}),
    ("", {}),
    ("data", {}),
    ("data", {"data_section": "features"}),
    ("data", {"data_section": "query"}),
    ("data", {"data_section": "similarity"}),
    ("fit", {"race": "1"}),
    ("path", {"beside": "log"}),
    ("path", {"beside": "log", "present": "1"}),
    ("features", {}),
    ("features", {"features_section": "entry order"}),
    ("features", {"features_section": "what if"}),
    ("features", {"features_section": "stability"}),
    ("features", {"features_section": "alternatives"}),
    ("tradeoff", {}),
    ("top", {}),
    ("ten", {}),
    ("ten", {"ten_step": "out"}),
    ("ten", {"ten_step": "who suffers"}),
    ("methods", {}),
    ("reproduce", {}),
    ("reproduce", {"reproduce_what": "single figures and tables"}),
    ("penalties", {}),
    ("numbers", {}),
    ("path", {"C": "abc", "method": "nobody"}),
    ("path", {"dataset": "not-here"}),
]


@pytest.mark.parametrize(("page", "query"), sweep(PAGES, always=2))
def test_nothing_that_is_ours_keeps_anybody_out(lab: Lab, page: str, query: dict[str, str]) -> None:
    lab.page.set_viewport_size({"width": 1366, "height": 768})
    lab.open(page, **{"dataset": "planted", "method": "log", "ratio": "0.02"} | query)
    expect(lab.at("paths_stop")).to_have_count(0, timeout=150_000)
    lab.wait()
    for scheme in ("light", "dark"):
        in_theme(lab.page, scheme)
        assert violations(lab.page) == {}, scheme
        assert pale_letters(lab.page) == [], scheme
