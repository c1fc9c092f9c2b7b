"""Rivals on the Features page: the answer counts what the table has."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import Open
from tests.app.fitting import assert_fine, sent, until
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")

COUNTED = re.compile(
    r"(\d+) sets (?!so far).*\bat most 5 features\b.* 1 % .*\bbest\b.*\b(no|\d+) features?\b.*\bevery one$"
)
"""What a search says that has looked everywhere."""


def answers(app: AppTest) -> list[re.Match[str]]:
    return [said for line in app.main.subheader if (said := COUNTED.match(line.value))]


def test_the_answer_counts_the_sets_of_the_table_and_what_they_share(open_app: Open) -> None:
    app = open_app("features", dataset="python-docs", method="l1", ratio="0.05", features_section="rivals",
                   alternatives_k="5", alternatives_within="within 1 %")  # fmt: skip
    until(lambda: bool(answers(app.run())))
    assert_fine(app)
    rows = next(t.value for t in app.main.dataframe if "excess %" in t.value.columns)
    (said,) = answers(app)
    assert int(said[1]) == len(rows) > 1
    sets = [set(names.split(", ")) for names in rows["names"]]
    common = set.intersection(*sets)
    assert (0 if said[2] == "no" else int(said[2])) == len(common)
    assert rows["excess %"].between(0.0, 1.0 + 1e-6).all()
    assert rows["objective"].is_monotonic_increasing
    bars = sent(app, "alternatives")["figure"]["data"][0]
    full = {row[0] for row, share in zip(bars["customdata"], bars["x"], strict=True) if share == 1.0}
    assert full == common
    spread = sent(app, "spread")["figure"]
    assert spread["data"][0]["y"] == pytest.approx(rows["NDCG@10 test"].tolist())
    told = next(caption.value for caption in app.main.caption if "missing" in caption.value)
    assert_says(told, "no", "set", "missing")
    assert "stopped" not in told
    assert "others" not in told
