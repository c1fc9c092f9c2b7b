"""Every method on data that leaves double precision little room: a right answer or a sentence, in bounded time.

Every solver, by every loss it minimises, on 42 documents of 2,000 features that once let fits run endless or to NaN.
"""

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.data import DataError, Fold, RankingData, Reading
from core.data.scaling import scale_fold
from core.methods import METHODS, Method, get_method
from core.methods.training import LARGEST_VALUE, refuse_extreme_values
from core.solvers import Stop
from tests.cases import sweep
from tests.ranking_files import there
from tests.solvers.limits import OF_EACH_LOSS
from tests.stand_ins import at_most

SECONDS = 20.0  # of the processor, for one step; a solver looks at the clock between steps
_DRAW = np.random.default_rng(0)
X = _DRAW.normal(size=(24, 5))
LEVELS = np.concatenate([[0, 1, 2], _DRAW.integers(0, 3, 21)])
OFFSETS = [0, 8, 16, 24]


def lists(x: np.ndarray, levels: object = LEVELS, offsets: object = OFFSETS) -> RankingData:
    return RankingData.build(x, levels, offsets)  # type: ignore[arg-type]


SOLVABLE = {
    "units that differ by 1e100": lists(X * np.array([1e49, 1.0, 1e-51, 1e25, 1e-25])),
    "as large as may be": lists(X / np.abs(X).max() * LARGEST_VALUE),
    "as small as may be": lists(X / LARGEST_VALUE),
    "denormals beside numbers": lists(X * np.array([1.0, 1e-310, 1.0, 5e-324, 1.0])),
    "one document far out": lists(np.where(np.arange(24)[:, None] == 3, 1e30, X)),
    "one feature many times": lists(np.tile(X[:, :1], (1, 5))),
    "constant columns": lists(np.column_stack([X[:, :2], np.ones(24), np.zeros(24)])),
    "documents that are all the same": lists(np.tile(X[:1], (24, 1))),
    "one query": lists(X, LEVELS, [0, 24]),
    "one pair": lists(X[:2], [0, 1], [0, 2]),
    "more features than documents": lists(_DRAW.normal(size=(6, 120)), [0, 1, 2, 0, 1, 0], [0, 3, 6]),
    "zeros of both signs": lists(np.where(X > 0, 0.0, -0.0) + np.eye(24, 5)),
    "a feature that says it all": lists(np.column_stack([LEVELS * 1.0, X])),
}
BY_NEWTON_ON_ALL = ("best-subset", "l0", "forward", "rfe", "elimination", "exchange")
"""They begin with the l2 model of all features, whose curvature is then beyond double precision."""
MAY_SAY_SO = {
    "one document far out": BY_NEWTON_ON_ALL,
    "as large as may be": BY_NEWTON_ON_ALL,
    "units that differ by 1e100": BY_NEWTON_ON_ALL,
}
"""Where, and who, may say that double precision does not suffice. What else is empty, and is said to be:"""
NO_FEATURE_HELPS = "documents that are all the same"
NO_MODEL_BEATS_THE_EMPTY_ONE = (
    "units that differ by 1e100", "denormals beside numbers", "one feature many times", "constant columns", "one query",
    NO_FEATURE_HELPS,
)  # fmt: skip
"""For the infinite push, which looks at the worst list of a draw."""
MAY_BE_WORSE = {
    "rsrank": "its weights of pairs follow the ranking of the model, so the objective may rise from step to step",
}
"""Methods without the promise, and why."""
NO_PAIRS = "no preference pair|no query has|every document is relevant|pairs"
REFUSED = {
    "1e300": (lists(X * 1e300), "too large to compute with|no measurements"),
    "1e300 beside 1": (
        lists(X * np.array([1e300, 1.0, 1e-300, 1.0, 1.0])),
        "too large to compute with|no measurements",
    ),
    "1e-300": (lists(X * 1e-300), "too little to compute with"),
    "denormals": (lists(X * 1e-310), "too little to compute with"),
    "one document": (lists(X[:1], [1], [0, 1]), NO_PAIRS),
    "queries of one document": (lists(X[:5], LEVELS[:5], np.arange(6)), NO_PAIRS),
    "one level": (lists(X, np.ones(24, dtype=int)), NO_PAIRS),
}


def fitted(method: Method, data: RankingData, ratio: float = 0.05) -> tuple[np.ndarray, float, float]:
    training = method.training(data)
    stop = replace(method.stop, max_seconds=0.2, max_steps=min(method.stop.max_steps, 300))
    result = method.fit(training, training.lam_at(ratio), stop=stop).result
    return result.weights, result.objective, result.certificate.relative


def at_zero(method: Method, data: RankingData, ratio: float = 0.05) -> float:
    """The objective of the empty model."""
    training = method.training(data)
    problem = method.problem(training, training.lam_at(ratio), method.settings())
    zero = np.zeros(data.n_features)
    return problem.loss.evaluate(problem.scores(zero)).value + problem.lam * problem.penalty.value(zero)


def may_refuse(method: Method, name: str, sentence: str) -> bool:
    if "double precision" in sentence:
        return method.id in MAY_SAY_SO.get(name, ())
    of_the_push = method.id.startswith("infinite-push") and name in NO_MODEL_BEATS_THE_EMPTY_ONE
    return "empty model" in sentence and (name == NO_FEATURE_HELPS or of_the_push)


@pytest.mark.parametrize("name", SOLVABLE)
@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.id)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_model_is_finite_and_no_worse_than_the_empty_one(method: Method, name: str) -> None:
    data = SOLVABLE[name]
    with at_most(SECONDS):
        try:
            weights, objective, certified = fitted(method, data)
        except DataError as error:
            if may_refuse(method, name, str(error)):
                return
            raise
    assert np.isfinite(weights).all()
    assert np.isfinite(objective)
    assert not np.isnan(certified)
    assert np.isfinite(data.features @ weights).all()
    if method.id not in MAY_BE_WORSE:
        assert objective <= at_zero(method, data) * (1.0 + 1e-12)


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.id)
def test_what_cannot_be_computed_is_refused_in_a_sentence(method: Method, name: str) -> None:
    data, sentence = REFUSED[name]
    with at_most(SECONDS), pytest.raises(DataError, match=sentence):
        fitted(method, data)


@pytest.mark.parametrize("scale", ["minmax", "standard", "query-minmax"])
@pytest.mark.parametrize("unit", [1e290, 1e-300, 1e-310])
def test_scaling_is_the_way_out_of_any_unit(scale: str, unit: float) -> None:
    """The scaled data is that of the same numbers in an ordinary unit."""
    told, plain = (scale_fold(Fold("1", lists(X * factor)), scale).train.features for factor in (unit, 1.0))
    np.testing.assert_allclose(told, plain, rtol=1e-6, atol=1e-9 if unit > 1e-305 else 1e-6)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("largest", [2.9e38, 1.0])
def test_single_precision_is_looked_at_in_double(largest: float) -> None:
    """The span of values near the largest single float, and the limit itself, are beyond that format."""
    x = (X / np.abs(X).max() * largest).astype(np.float32)
    data = RankingData.build(x, LEVELS, OFFSETS, dtype=np.float32)
    assert data.features.dtype == np.float32, "in double nothing is beyond the format"
    refuse_extreme_values(data)  # it refuses nothing, and the mark above makes any warning an error


MOST = 20.0  # seconds of the processor for one step: far above what any takes, far below an endless one
WORSE_IF_FAULTY = {
    ("rsrank", "truncated-gradient"): "its weights of pairs follow the ranking, see test_nasty_data",
    ("fsmrank", "subgradient"): "the paper's steps overshoot: the objective was 5,282 after three seconds",
}
"""Whose model at a time limit may have a higher objective than the empty one, and why."""
REPRESENTATIVES = {("l1", "proximal-newton"), ("infinite-push-l1", "admm"), ("fenchelrank", "frank-wolfe")}
"""One that ends by itself, one in inner loops, one at the time limit, which comes sooner for them."""
LONG_FIRST_ROUND = {("log", "reweighted-fista-fixed")}
"""Its first round minimises the l1 objective, in some 5,000 steps; at its end its own is below the empty model's."""
MORE = {(method.id, solver.id) for method, solver in OF_EACH_LOSS} | WORSE_IF_FAULTY.keys()
MORE |= {(name, get_method(name).solvers[0].id) for name in ("forward", "gas-e")}


@pytest.fixture(scope="module")
def fold(shared_data: Path) -> Fold:
    file = there(shared_data / "faults" / "class_60x2000.csv.gz")
    return Reading(scale="standard", split=0.7, seed=0).open(str(file)).fold(1)


@pytest.mark.parametrize(
    ("name", "solver"), sweep([*sorted(REPRESENTATIVES), *sorted(MORE - REPRESENTATIVES)], always=len(REPRESENTATIVES))
)
def test_it_ends_with_numbers_and_looks_at_the_clock(
    name: str, solver: str, fold: Fold, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clock of the processor, so that beside other work a solver gets as far."""
    monkeypatch.setattr(time, "perf_counter", time.process_time)
    method = get_method(name)
    training = method.training(fold.train)
    seconds = 1.0 if (name, solver) in REPRESENTATIVES else 6.0 if (name, solver) in LONG_FIRST_ROUND else 3.0
    run = method.run(training, training.lam_at(0.1), solver=solver, stop=Stop(max_seconds=seconds))
    while not run.done:
        begun = time.process_time()
        run.advance()
        assert time.process_time() - begun < MOST
    result = run.fit().result
    assert np.isfinite(result.weights).all()
    assert np.isfinite(result.objective)
    assert not np.isnan(result.certificate.relative)
    if (name, solver) not in WORSE_IF_FAULTY:
        empty = training.loss.evaluate(np.zeros(fold.train.n_documents)).value
        assert result.objective <= empty * (1 + 1e-9)
