"""What is worked on beside the page ends while a dialog is open: the dialog stays, and the page is drawn afterwards."""

from __future__ import annotations

import re

import numpy as np
from playwright.sync_api import expect

from tests.browser.lab import Lab

N_FEATURES = 20
RANDOM = np.random.default_rng(17)
ROWS = RANDOM.normal(size=(240, N_FEATURES)).round(3)
ALL_METHODS = re.compile(r"\bpaths of (all )?7 methods\b")


def shop(rows: np.ndarray) -> bytes:
    """A CSV of queries with six documents each."""
    lines = [",".join(["relevance", "qid", *(f"field_{j}" for j in range(N_FEATURES))])]
    lines += [f"{int(row[:3].sum() > 1)},{place // 6}," + ",".join(map(str, row)) for place, row in enumerate(rows)]
    return "\n".join(lines).encode()


def test_a_file_is_opened_though_work_has_ended_while_it_was_looked_for(lab: Lab) -> None:
    """The window in which the machine's files are chosen belongs to the input that has opened it."""
    lab.open("ten")
    lab.give("first.csv", shop(ROWS))
    under_way = lab.page.get_by_test_id("stProgress")
    expect(under_way).to_have_count(1)
    lab.press("own_data")
    with lab.page.expect_file_chooser() as opened:
        lab.click(lab.at("upload").get_by_test_id("stBaseButton-secondary"))
    expect(under_way).to_have_count(0)
    opened.value.set_files([{"name": "second.csv", "mimeType": "text/csv", "buffer": shop(ROWS[::-1])}])
    expect(lab.at("dataset").get_by_role("combobox")).to_have_value(re.compile("^second.csv"))
    expect(lab.at("picture")).to_contain_text(ALL_METHODS)
