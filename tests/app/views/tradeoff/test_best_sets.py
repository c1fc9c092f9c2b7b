"""The certified line on the Trade-off page: what it says is true of its table, and what it says of rankings, too."""

from __future__ import annotations

import re

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from pages.views.tradeoff.best_sets import RANKING, rounded_down
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, at_rest, until

pytestmark = pytest.mark.usefixtures("all_unfolded")

METHODS = "l1,log"


def opened(open_app: Open, **query: str) -> AppTest:
    app = open_app("tradeoff", dataset="python-docs", tradeoff_methods=METHODS, **query)
    until(lambda: at_rest() and not app.run().get("progress"))
    assert_fine(app)
    return app


def table(app: AppTest) -> pd.DataFrame:
    return next(t.value for t in app.main.dataframe if "lower bound" in t.value.columns)


def test_the_line_its_sentence_and_the_table_agree(open_app: Open) -> None:
    app = opened(open_app, k="6")
    said = next(m.value.strip("*.") for m in app.main.markdown if m.value.startswith("**At most"))
    rows = table(app)
    at = rows[rows["features at most"] == 6].set_index("method")
    best = at.loc["best subset"]
    assert best["proven"]
    found = re.match(r"At most 6 features\b.*\bno\b.* below ([\d.]*\d)\b(.+)$", said)
    assert found is not None, said
    assert float(found[1]) <= best["lower bound"]
    assert float(found[1]) == pytest.approx(best["objective"], abs=2e-4)
    drawn = at.loc[["ℓ1", "log"]]
    assert (drawn["objective"] >= best["lower bound"]).all()
    excess = 100.0 * (drawn["objective"] / best["objective"] - 1.0)
    assert excess.to_numpy() == pytest.approx(drawn["excess %"].to_numpy(), abs=1e-6)
    for title, percent in re.findall(r"(ℓ1|log) [^\d,;]*?([\d.]+) %", found[2]):
        assert float(percent) == pytest.approx(excess[title], rel=0.06)
    common = {
        title: len(set(row["names"].split(", ")) & set(best["names"].split(", "))) for title, row in drawn.iterrows()
    }
    assert common == drawn["in common"].to_dict()

    # The ranking: better is said only where the interval says so.
    said = next(m.value for m in app.main.markdown if "yardstick" in m.value)
    ours, theirs = (float(v) for v in re.findall(r"(0\.\d{4}) of", said)[:2])
    assert ours == pytest.approx(best["NDCG@10 test"], abs=6e-5)
    assert theirs == pytest.approx(drawn.loc["ℓ1", "NDCG@10 test"], abs=6e-5)
    interval = re.search(r"interval ([+-][\d.]+) to ([+-][\d.]+)", said.replace("−", "-"))
    assert interval is not None
    low, high = map(float, interval.groups())
    assert ("no clear difference" in said) == (low <= 0.0 <= high)
    assert said.startswith(f"**{RANKING['no clear difference']}.**") == (low <= 0.0 <= high)


def test_a_bound_is_rounded_so_that_it_stays_one() -> None:
    assert [rounded_down(bound) for bound in (0.58799, 0.5, 0.123449)] == [0.5879, 0.5, 0.1234]
