"""Each answer of the app's own lessons against one that is worked out in another way."""

import json
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.api.fitting import fit, fit_path
from core.data import open_dataset
from core.data.dataset import Fold
from core.lessons import (
    FILES,
    ORDER,
    Choice,
    Curve,
    LessonResults,
    Number,
    Order,
    Prediction,
    answer,
    broken_lessons,
    explanation,
    lesson,
    lessons,
)  # fmt: skip
from core.lessons.lesson import can_be_guessed
from core.lessons.placeholders import filled
from core.methods import get_method
from core.metrics import JudgedLists, Measure
from core.models import Model, ModelPath
from tests.cases import sweep

PLANTED = Path(__file__).parents[2] / "sample_data" / "planted" / "dataset.json"


@cache
def fold(name: str) -> Fold:
    return open_dataset(name).fold(1)


@cache
def model(name: str, method: str, solver: str | None = None, tol: float | None = None) -> Model:
    return fit(fold(name), method, lambda_ratio=10**-1.3, solver=solver, tol=tol)


def objective(solver: str | None = None, tol: float | None = None) -> float:
    return model("planted", "l1", solver, tol).fit.result.objective


@cache
def path(name: str) -> ModelPath:
    return fit_path(fold(name), "l1")


def pairs(relevance: list[int]) -> list[tuple[int, int]]:
    n = range(len(relevance))
    return [(i, j) for i in n for j in n if relevance[i] > relevance[j]]


def pairs_of(name: str) -> int:
    train = fold(name).train
    ends = train.query_offsets.tolist()
    lists = [train.relevance[a:b].tolist() for a, b in pairwise(ends)]
    return sum(len(pairs(one)) for one in lists)


def hinges(relevance: list[int], scores: list[float]) -> list[float]:
    return [max(0.0, 1.0 - scores[i] + scores[j]) for i, j in pairs(relevance)]


def precision(relevance: list[int]) -> float:
    places = [k for k, level in enumerate(relevance, 1) if level]
    return float(np.mean([sum(relevance[:k]) / k for k in places]))


def signals(one: Model) -> int:
    truth = {each["name"] for each in json.loads(PLANTED.read_text())["support"]}
    return len(truth & set(one.features.index))


def by(measure: str, name: str) -> int:
    """The number of features of the model of a path that is best by a measure on validation, ties in expectation."""
    vali = fold(name).vali
    lists = JudgedLists(vali, "standard")
    frame = path(name).weights
    values = [lists.rank(vali.features @ w).mean(Measure.parse(measure)) for w in frame.to_numpy()]
    return int((frame.to_numpy()[int(np.argmax(values))] != 0).sum())


def peek() -> float:
    table, best = path("python-docs").table["test MAP"], path("python-docs").best("map")
    return 100 * float(table.max() - best.metrics.loc["MAP", "test"])


def choices_apart() -> float:
    """The spread of C over choices on other resamples than those of the program: about the same."""
    vali, one = fold("python-docs").vali, path("python-docs")
    lists = JudgedLists(vali, "standard")
    each = np.array([lists.rank(vali.features @ w).per_query(Measure.parse("MAP")) for w in one.weights.to_numpy()])
    drawn = np.random.default_rng(7).integers(each.shape[1], size=(500, each.shape[1]))
    chosen = [float(one.weights.index[int(each[:, rows].mean(axis=1).argmax())]) for rows in drawn]
    low, high = np.quantile(chosen, [0.05, 0.95])
    return float(high / low)


def kept_in_halves(method: str) -> list[set[int]]:
    train, found = fold("planted").train, []
    for number in range(20):
        rng = np.random.default_rng([0, number])
        rows = np.sort(rng.permutation(train.n_queries)[: train.n_queries // 2])
        half = fit(train.take_queries(rows), method, lambda_ratio=10**-1.3, tol=1e-6)
        found.append(set(half.features["index"]))
    return found


def ever_and_always(method: str) -> tuple[int, int]:
    found = kept_in_halves(method)
    return len(set.union(*found)), len(set.intersection(*found))


def rival_sets() -> int:
    """Sets near the best one: three features are found one by one, and every fourth one is tried with them."""
    train, method = fold("python-docs").train, get_method("l2")
    lam = fit(fold("python-docs"), "l2", lambda_ratio=10 ** (-4 * 17 / 49)).fit.lam

    def objective_of(*columns: int) -> float:
        part = train.with_features(train.features[:, columns], [str(j) for j in columns])
        return method.fit(method.training(part), lam).result.objective

    chosen: list[int] = []
    for _ in range(3):
        others = [j for j in range(train.n_features) if j not in chosen]
        chosen.append(min(others, key=lambda j: objective_of(*chosen, j)))
    near = [objective_of(*chosen)]
    near += [objective_of(*chosen, j) for j in range(train.n_features) if j not in chosen]
    return sum(one <= 1.01 * min(near) for one in near)


def half(x: float) -> float:
    return max(0.0, 1.0 - x)


LIST = [2, 1, 1, 0, 0]
INDEPENDENT: dict[tuple[str, int], Callable[[], Any]] = {
    ("pairs", 1): lambda: len(pairs(LIST)),
    ("pairs", 2): lambda: sum([2, 5, 4, 3, 1][i] < [2, 5, 4, 3, 1][j] for i, j in pairs(LIST)),
    ("pairs", 3): lambda: "four" if len(pairs(sorted(LIST * 2))) == 4 * len(pairs(LIST)) else "other",
    ("pairs", 4): lambda: pairs_of("python-docs"),
    ("pairs", 5): lambda: pairs_of("python-docs") / len(fold("python-docs").train.features),
    ("hinge", 1): lambda: "something" if half(0.5) > 0 else "nothing",
    ("hinge", 2): lambda: "stays" if half(1.5) == half(1.6) else "falls",
    ("hinge", 3): lambda: [(x, half(x) ** 2) for x in np.arange(-2, 2.1, 0.5)],
    ("hinge", 4): lambda: (half(-2.001) ** 2 - half(-1.999) ** 2) / (half(-2.001) - half(-1.999)),
    ("hinge", 5): lambda: model("python-docs", "l1", "proximal-newton", 1e-3).fit.result.steps,
    ("zeros", 1): lambda: "nothing" if max(0.3 - 0.5, 0.0) == 0 else "little",
    ("zeros", 2): lambda: "all" if len(model("planted", "l2").features) > 48 else "other",
    ("zeros", 3): lambda: len(fit(fold("planted"), "l1", lambda_ratio=1.0).features),
    ("zeros", 4): lambda: sorted(
        (row["lambda / lambda_max"], row["features"] / 60) for _, row in path("planted").table.iterrows()
    ),
    ("bias", 1): lambda: 2.0 - 0.5,
    ("bias", 2): lambda: "all",  # MCP's knee is at 2 times the step: a weight of 2 lies beyond it
    ("bias", 3): lambda: [
        name
        for _, name in sorted(
            (abs(model("planted", method).features["weight"]).max(), name)
            for name, method in (("l1", "l1"), ("log", "log"), ("mcp", "mcp"), ("half", "l0.5"))
        )
    ],
    ("bias", 4): lambda: len(model("planted", "l0.5").features),
    ("bias", 5): lambda: len(model("planted", "l1").features) - signals(model("planted", "l1")),
    ("choosing", 1): lambda: sorted(
        zip(path("python-docs").table["lambda / lambda_max"], path("python-docs").table["train MAP"], strict=True)
    ),
    ("choosing", 2): lambda: "inside" if 0 < len(path("python-docs").best("map").features) < 50 else "end",
    ("choosing", 3): peek,
    ("choosing", 4): lambda: pytest.approx(choices_apart(), rel=0.5),
    ("convergence", 1): lambda: (
        100
        * (
            1.0
            - model("planted", "l1").fit.result.objective / model("planted", "l1", "fista", 0.2).fit.result.objective
        )
    ),
    ("convergence", 2): lambda: [
        name
        for _, name in sorted(
            (len(model("planted", "l1", solver, 0.1).trace), name)
            for name, solver in (
                ("fixed", "fista-fixed"),
                ("subgradient", "subgradient"),
                ("newton", "proximal-newton"),
                ("fista", "fista"),
            )
        )
    ],
    ("convergence", 3): lambda: list(model("planted", "l1", "proximal-newton", 1e-8).trace["duality gap"].items()),
    ("convergence", 4): lambda: model("planted", "fenchelrank").trace["features"].loc[10],
    ("convergence", 5): lambda: int((model("planted", "fenchelrank").trace["duality gap"] <= 0.05).idxmax()),
    ("top", 1): lambda: "a" if precision([0, 1, 1, 1, 1, 0, 0, 0]) > precision([1, 0, 0, 0, 0, 1, 1, 1]) else "b",
    ("top", 2): lambda: "b",  # one of four stands above every irrelevant one, in A none
    ("top", 3): lambda: (
        np.mean([max(0.0, 1 - s + 4) for s in (3, 2)]) / np.mean(hinges([1, 1, *[0] * 8], [3.0, 2.0, 4.0, *[0.0] * 7]))
    ),
    ("top", 4): lambda: 100 * path("planted").best("map").metrics.loc["Top", "test"],
    ("top", 5): lambda: "sparser" if by("Top", "planted") < by("MAP", "planted") else "other",
    ("misleading", 1): lambda: int(
        (np.sort(abs(np.corrcoef(fold("planted").train.features.T)), axis=1)[:, -2] >= 0.9).sum()
    ),
    ("misleading", 2): lambda: signals(model("planted", "l1")),
    ("misleading", 3): lambda: ever_and_always("l1")[0],
    ("misleading", 4): lambda: "few" if 2 * ever_and_always("log")[1] <= ever_and_always("log")[0] else "other",
    ("misleading", 5): rival_sets,
}
"""What each question's answer is, by another way: the name of an option, a number, names in order, or points."""


def test_every_file_is_a_lesson_and_every_question_has_another_way() -> None:
    assert not broken_lessons()
    assert {one.name for one in lessons()} == {path.stem for path in FILES.glob("*.md")} == set(ORDER)
    asked = {(one.name, step.number) for one in lessons() for step in one.steps if step.predict}
    assert asked == INDEPENDENT.keys()


@pytest.mark.parametrize("name", ORDER)
def test_the_answers_are_those_that_are_worked_out_in_another_way(name: str) -> None:
    one = lesson(name)
    facts = LessonResults.of(one).made()
    for step in one.steps:
        told = explanation(step, facts)
        assert bool(told) == (step.predict is not None)
        assert "{" not in told.partition("$")[0]
        if step.predict is not None:
            value = answer(step, facts).value
            assert same(step.predict, value, INDEPENDENT[name, step.number]()), (step.number, value)
            assert can_be_guessed(step.predict, value), (step.number, value)


def same(predict: Prediction, found: Any, expected: Any) -> bool:
    match predict:
        case Choice(keys=keys):
            return bool(keys[found] == expected)
        case Order(keys=keys):
            return [keys[place] for place in found] == expected
        case Curve():
            return bool(np.allclose(found, expected, rtol=1e-6, atol=1e-12))
        case Number():
            return bool(found == (pytest.approx(expected, rel=1e-6) if isinstance(expected, int | float) else expected))


def test_a_number_at_the_beginning_of_a_line_begins_no_list() -> None:
    facts = {"path": {"kept": (3, 12)}}
    assert filled("{path.kept[0]}. They", facts, "", "") == "3\\. They"
    assert filled("It keeps\n{path.kept[1]}. Then {path.kept[0]}. So", facts, "", "") == "It keeps\n12\\. Then 3. So"
    assert filled("{path.kept[0]} of {path.kept[1]}.", facts, "", "") == "3 of 12."


@pytest.mark.parametrize("name", sweep(["pairs", "convergence", "hinge", "zeros"]))
def test_a_lesson_of_any_data_has_its_answers_on_other_data(name: str) -> None:
    one = lesson(name)
    moved = one.on("planted" if one.dataset == "python-docs" else "python-docs", 2)
    facts = LessonResults.of(moved).made()
    asked = [step for step in moved.steps if step.predict is not None]
    assert asked
    for step in asked:
        value = answer(step, facts).value
        assert can_be_guessed(step.predict, value) or isinstance(step.predict, Curve), step.number
        assert explanation(step, facts)
