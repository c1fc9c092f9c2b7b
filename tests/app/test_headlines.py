"""Headlines that choose and compare are true of the numbers beneath them, and pages do not contradict each other.

One visit a dataset: the paths of the Trade-off page are those of the other pages, too. What a headline must say is
worked out here from other paths, by the papers' rules, and looked up in the table that stands on the page. Headlines
about one model or part: tests of their pages.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.path import PathPoint
from core.experiments.results.difference import Difference, model_difference
from core.methods import get_method
from core.penalties import L2On
from core.solvers import OnChosenFeatures, Problem, solve
from pages.shared import cache
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import measures_of
from pages.views.tradeoff.best_sets import RANKING
from tests.app.conftest import Open
from tests.app.fitting import chosen, ended, expected_path, headline_of, press, settled, strip_of, title_of
from tests.cases import sweep
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded")

TITLES = {"l1": "ℓ1", "log": "log", "l2": "ℓ2"}
IDS = {title: method_id for method_id, title in TITLES.items()}
WORDS = {"vali": "Validation", "train": "Training"}
NUMBER = r"([\d.]+\d)"


@dataclass
class Visit:
    """A session on one dataset, with paths that this test has worked out itself."""

    app: AppTest
    choice: Loaded

    @property
    def measure(self) -> str:
        return measures_of(self.choice)[0]

    @property
    def picks(self) -> str:
        return "vali" if "vali" in self.choice.fold.parts() else "train"

    @property
    def n_features(self) -> int:
        return self.choice.fold.train.n_features

    @cached_property
    def paths(self) -> dict[str, list[PathPoint]]:
        return {method_id: expected_path(self.choice, method_id) for method_id in TITLES}

    def best(self, *method_ids: str, most: int = 10**6) -> PathPoint:
        """What the choosing part picks: the highest value, among equals the fewest features."""
        models = [p for m in method_ids for p in self.paths[m] if 0 < p.fit.result.nonzero <= most]
        worth = [(round(p.judgement.metrics[self.picks][self.measure], 12), -p.fit.result.nonzero) for p in models]
        return models[worth.index(max(worth))]

    def single(self, part: str) -> float:
        """The value of the feature that ranks the training part best, in either direction."""
        n = self.choice.fold.train.n_features
        ways = [sign * row for row in np.eye(n) for sign in (1.0, -1.0)]
        worth = [round(self.choice.judge.per_query(w, "train", self.measure).mean(), 12) for w in ways]
        return float(self.choice.judge.metrics(ways[int(np.argmax(worth))])[part][self.measure])

    def difference(self, first: PathPoint, other: PathPoint) -> Difference:
        return model_difference(self.choice.judge, first.fit.weights, other.fit.weights, "test", self.measure)

    def open(self, page: str) -> str:
        """Go to a page, wait until nothing is worked out any more; its headline."""
        self.app.switch_page(f"pages/{page}.py")
        self.app.run()
        return headline_of(settled(self.app))

    def table(self, *columns: str) -> pd.DataFrame:
        return next(t.value for t in self.app.main.dataframe if set(columns) <= set(t.value.columns))

    @property
    def strip(self) -> dict[str, str]:
        return strip_of(self.app)


def parse(pattern: str, text: str) -> tuple[Any, ...]:
    found = re.search(pattern, text)
    assert found is not None, text
    return found.groups()


SETS = ("python-docs Fold4", "breast-cancer", "MQ2008")
"""The first one with short paths, on which the best set of three features is neither kept by all nor by none."""


@pytest.fixture(params=sweep(SETS))
def visit(
    request: pytest.FixtureRequest, open_app: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[Visit]:
    if request.param == SETS[0]:
        request.getfixturevalue("short_paths")
    if request.param == "MQ2008":
        monkeypatch.setenv("SPARSE_RANK_DATA", str(request.getfixturevalue("shared_data")))
    cache.clear()
    dataset, _, fold = request.param.partition(" ")
    app = open_app("data", dataset=dataset, fold=fold, method="l1", ratio="0.05", beside="log",
                   tradeoff_methods="l1,log", bench_methods="l1,log,l2")  # fmt: skip
    yield Visit(app, chosen(app))
    cache.clear()


@pytest.mark.first
def test_headlines_are_true_of_what_stands_beneath_it(visit: Visit) -> None:
    for check in (trade_off, best_possible, path, methods):
        check(visit)


def trade_off(visit: Visit) -> None:
    said, measure = visit.open("tradeoff"), visit.measure
    within, best = visit.best("l1", "log", most=10), visit.best("l1", "log")
    kept = f"{within.fit.result.nonzero} of {visit.n_features}"
    assert_says(said, WORDS[visit.picks], TITLES[within.fit.method], kept)
    values = [float(value) for value in re.findall(rf": {NUMBER}|{measure} {NUMBER}", said) for value in value if value]
    quoted = [within, *([best] if best is not within else [])]
    assert values == pytest.approx([p.metrics["test"][measure] for p in quoted], abs=6e-5)
    if best is not within:
        assert said.endswith(f"({visit.difference(best, within).verdict_on})")
    table = visit.table("best so far")
    for point in quoted:
        row = table[np.isclose(table["C"], point.fit.c) & (table["method"] == point.fit.method)].iloc[0]
        assert row["features kept"] == point.fit.result.nonzero
        assert row[f"{measure} test"] == pytest.approx(point.metrics["test"][measure], abs=1e-4)
    # The dashed lines: the model of all features at the C that the same part picks, and the best feature of training.
    lines = table.set_index("method")[f"{measure} test"]
    (dense,) = [value for name, value in lines.items() if str(name).startswith("all features (ℓ2, C by ")]
    assert dense == pytest.approx(visit.best("l2").metrics["test"][measure], abs=1e-3)
    assert lines["best single feature, by training"] == pytest.approx(visit.single("test"))
    said = title_of(visit.app, "tradeoff")
    star = f"{TITLES[within.fit.method]} with {within.fit.result.nonzero}"
    assert_says(said, star, f"test {measure}", f"{within.metrics['test'][measure]:.4f}")
    for title, few in re.findall(r"(ℓ1|log) (\d+)(?=[,;]|$)", said.rpartition(": ")[2]):
        least = visit.best(IDS[title], most=int(few))
        assert least.fit.result.nonzero == int(few)
        assert not visit.difference(least, within).verdict.startswith("clearly")


def best_possible(visit: Visit) -> None:
    """No model of the paths, fitted again on its features with the same ridge, is beneath what is said to be lowest."""
    app = visit.app
    visit.open("tradeoff")
    said = next(m.value.strip("*.") for m in app.main.markdown if m.value.startswith("**At most"))
    rows = visit.table("lower bound")
    k, bound = parse(r"^At most (\d+) features?: (?:no objective below|best known objective) ([\d.]+)", said)
    best = rows[(rows["method"] == "best subset") & (rows["features at most"] == int(k))].iloc[0]
    assert float(bound) == pytest.approx(best["objective"], abs=2e-4)
    assert ("no objective below" in said) == bool(best["proven"])
    training = get_method("l2").training(visit.choice.fold.train)
    lam = visit.best("l2").fit.lam
    kept = {tuple(p.fit.selected.tolist()) for m in ("l1", "log") for p in visit.paths[m]}
    for columns in (columns for columns in kept if 0 < len(columns) <= int(k)):
        problem = Problem(training.data.features, training.loss, L2On(np.array(columns)), lam)
        found = solve(OnChosenFeatures(), problem).objective
        assert found >= best["lower bound"] * (1.0 - 1e-6)
        assert found >= best["objective"] * (1.0 - 1e-5)
    own_rows = rows[rows["features at most"] == int(k)].set_index("method")
    for title, percent in re.findall(r"(ℓ1|log) [^\d,;]*?([\d.]+) %", said):
        own = own_rows.loc[title]
        common = set(own["names"].split(", ")) & set(best["names"].split(", "))
        assert own["in common"] == len(common)
        assert own["excess %"] == pytest.approx(100.0 * (own["objective"] / best["objective"] - 1.0), abs=1e-6)
        assert float(percent) == pytest.approx(100.0 * (own["objective"] / best["objective"] - 1.0), rel=0.06)
    told = next(m.value for m in app.main.markdown if "yardstick" in m.value)
    interval = re.search(r"interval ([+-][\d.]+) to ([+-][\d.]+)", told.replace("−", "-"))
    assert interval is not None or visit.choice.fold.train.n_queries == 1
    if interval is not None:
        low, high = map(float, interval.groups())
        value, beside, title = parse(rf"{re.escape(visit.measure)} {NUMBER} of the best set, {NUMBER} of (\S+)'s", told)
        assert float(value) == pytest.approx(best[f"{visit.measure} test"], abs=6e-5)
        assert float(beside) == pytest.approx(own_rows.loc[title, f"{visit.measure} test"], abs=6e-5)
        assert ("no clear difference" in told) == (low <= 0.0 <= high)
        assert told.startswith(f"**{RANKING['no clear difference']}.**") == (low <= 0.0 <= high)


def path(visit: Visit) -> None:
    said, measure = visit.open("path"), visit.measure
    if visit.picks != "vali":
        return
    models = [visit.best("l1"), visit.best("log")]
    assert_says(said, "ℓ1", visit.strip["kept"])
    assert visit.strip[f"{measure}-test"] in said
    compared = next(text.value for text in visit.app.main.markdown if "best on the validation part" in text.value)
    said = compared.partition("best on the validation part")[2].rstrip(".")
    for point in models:
        assert f"{point.metrics['test'][measure]:.4f}" in said
        assert f" {point.fit.result.nonzero} " in re.sub("[;,]", " ", said)
    verdict = visit.difference(*models).verdict
    assert ("clear" not in said) if verdict == "one list, no interval" else said.endswith(verdict)
    table = visit.table("penalty", "λ/λ_max")
    rows = table.set_index(["penalty", "features"]).sort_index()
    for point in models:
        values = rows.loc[[(point.fit.method, point.fit.result.nonzero)], f"{measure}, test"]
        assert np.isclose(values, point.metrics["test"][measure], atol=1e-4).any()


def methods(visit: Visit) -> None:
    visit.open("methods")
    ended(press(visit.app, "bench_run"), "bench_job")
    said, measure = headline_of(visit.app), visit.measure
    table = visit.table("passes over X").set_index("id")
    picks = f"{measure} ({'validation' if visit.picks == 'vali' else 'train'})"
    order = table.assign(worth=table[picks].round(12)).sort_values(["worth", "features"], ascending=[False, True])
    best, value = order.iloc[0], order.iloc[0][f"{measure} (test)"]
    picked = [WORDS[visit.picks], str(best["method"]), "3 methods", f"test {measure}", f"{value:.4f}"]
    picked.append(f"{best['features']:.0f} of {visit.n_features} features")
    assert_says(said, *picked)
    alike = table["against the one picked"].astype(str).str.endswith("no clear difference")
    sparser = table[alike & (table["features"] < best["features"])].sort_values("features")
    assert ("no clear difference" in said) == bool(len(sparser))
    if len(sparser):
        sparse = sparser.iloc[0]
        assert_says(said, *picked, f"{sparse['method']} with {sparse['features']:.0f}")
        (difference,) = parse(r": ([+−][\d.]+), no clear difference$", said)
        expected = sparse[f"{measure} (test)"] - value
        assert float(difference.replace("−", "-")) == pytest.approx(expected, abs=6e-5)
    # The same method of all features as on Trade-off, at a C of its own: the caption has both.
    caption = next(c.value for c in visit.app.main.caption if "is shown here at C" in c.value)
    (dense,) = parse(rf"all features on Trade-off\b.*: test {re.escape(measure)} {NUMBER}\.", caption)
    assert float(dense) == pytest.approx(visit.best("l2").metrics["test"][measure], abs=1e-3)
