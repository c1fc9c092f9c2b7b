"""The Fit page shows how a method that drops features came to those it keeps, and for other methods nothing of it."""

from __future__ import annotations

import pytest

from core.figures.fit.elimination import elimination_sentence, stages
from tests.app.conftest import Open
from tests.app.fitting import fit
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded")


def test_an_elimination_is_told_stage_by_stage(open_app: Open) -> None:
    app = open_app("fit", dataset="planted", method="rwfs-l0", ratio="0.01")
    found = stages(fit(app).run.fit().result.trace)
    tables = [frame.value for frame in app.dataframe if "features left" in frame.value.columns]
    assert list(tables[0]["features left"]) == [stage.features for stage in found]
    assert elimination_sentence(found) in "".join(html.proto.body for html in app.get("html"))


def test_a_method_that_drops_none_has_no_elimination(open_app: Open) -> None:
    app = open_app("fit", dataset="planted", method="l1")
    fit(app)
    assert all("features left" not in frame.value.columns for frame in app.dataframe)


def test_too_many_pairs_for_liblinear_are_met_with_the_way_out(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.solvers.liblinear.MOST_ENTRIES", 600)
    app = open_app("fit", dataset="planted", method="liblinear-l1")
    fit(app)
    assert_says(app.error[0].value, "at most 10 pairs", "60 features", "method l1")
