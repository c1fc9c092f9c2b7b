"""The search tree on the Fit page: it grows on request, and its words are true of its table."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.app.conftest import Open
from tests.app.fitting import assert_fine, at_rest, fit, press, sent, until
from tests.app.test_scripts import beneath

pytestmark = pytest.mark.usefixtures("all_unfolded")


def test_the_tree_grows_to_the_objective_of_the_fit(open_app: Open) -> None:
    app = open_app("fit", dataset="python-docs", method="best-subset", ratio="0.05", **{"best-subset.k": "2"})
    found = fit(app).run.fit()
    assert not any(button.key == "tree_stop" for button in app.button)
    press(app, "tree_grow")
    until(at_rest)
    assert_fine(app.run())
    rows = next(t.value for t in app.main.dataframe if t.value.columns[0] == "node")
    title = sent(app, "tree")["figure"]["layout"]["meta"]["title"]
    said = re.match(r"(\d+) parts?\b.*?\b(\d+) cut\b.*?([\d.]*\d) .*\bproven\b.*\blowest objective\b", title)
    assert said is not None, title
    assert int(said[1]) == rows["state"].isin(["split", "set"]).sum()
    assert int(said[2]) == (rows["state"] == "cut").sum()
    assert abs(float(said[3]) / found.result.objective - 1.0) < 1e-4
    shown, script = next(beneath(app.main, 'picture.save("tree")'))
    space: dict[str, Any] = {}
    exec(script.replace("print(picture.table)", "").replace('picture.save("tree")', ""), space)
    assert space["picture"].table.drop(columns="lower bound").equals(shown.drop(columns="lower bound"))
    assert space["picture"].table["lower bound"].to_numpy() == pytest.approx(shown["lower bound"].to_numpy())


def test_other_methods_have_no_tree(open_app: Open) -> None:
    app = open_app("fit", dataset="planted", method="l1", ratio="0.3")
    fit(app)
    assert not any(button.key == "tree_grow" for button in app.button)
