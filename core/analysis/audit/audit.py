"""The comparisons of an audit, one after the other."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, Self

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_matrix, hstack, identity, vstack

from core.analysis.audit.independent import (
    MEASURES,
    Check,
    ExplicitPairs,
    NotCompared,
    ir_measures_mean,
    places,
    plain_measure,
)
from core.analysis.evaluation import FloatArray, FoldJudge
from core.analysis.features.single_feature import each_single_feature
from core.analysis.fitting import AtRatio, Fitting
from core.data import Convention, Fold, RankingData
from core.data.division import query_order
from core.methods import EmptyOptimumError, Fit, get_method
from core.metrics import JudgedLists, Measure
from core.metrics.feature_scores import values_of

RATIO = 0.01
"""lambda / lambda_max of the models that are compared: some features are in, some are out."""
SMALL = 1e-3  # lambda where lambda_max is 0
MOST_ENTRIES = 5_000_000  # numbers in the matrix of pairs; more is slow with LIBLINEAR
MOST_DOCUMENTS = 3_000  # in a linear program
FEW, CHOSEN = 7, 3  # features among which best subsets are enumerated, and how many a subset has
NON_CONVEX = ("log", "mcp", "l0.5")
MOST_COLUMNS = 40  # single features that are measured query by query
DIGITS = 5e-6  # gdeval, which ir_measures asks for NDCG, prints five

LBFGS = "L-BFGS-B on the pairs"

Found = Check | NotCompared


@dataclass(frozen=True, eq=False)
class Audit:
    """What is compared.

    Attributes
    ----------
    convention : {"standard", "letor3", "letor4"}
        Of the measures.
    pairs : RankingData
        The training part, or as many whole queries of it as fit in memory with all their pairs.
    lists : RankingData
        Queries of it for linear programs.
    """

    ABOUT: ClassVar[int] = 25
    """How many comparisons there are, more or less."""

    fold: Fold
    convention: Convention
    pairs: RankingData
    lists: RankingData

    @classmethod
    def of(cls, fold: Fold, convention: Convention) -> Self:
        """Choose the queries: all, or as many of a random order as fit."""
        train = fold.train
        order = np.random.default_rng(0).permutation(query_order(train))
        pairs = np.array([train.take_queries([q]).n_pairs for q in order]) * train.n_features
        documents = np.diff(train.query_offsets)[order]
        return cls(
            fold, convention, _first(train, order, pairs, MOST_ENTRIES), _first(train, order, documents, MOST_DOCUMENTS)
        )

    def found(self) -> Iterator[Found]:
        """Yield every comparison, as soon as it is there.

        Raises a `DataError` if nothing can be learned from the training part.
        """
        yield from _scaling(self.fold)
        pairs = ExplicitPairs.of(self.pairs)
        lasso = _fit(self.pairs, "l1")
        yield from _convex(pairs, lasso)
        for method in NON_CONVEX:
            yield from _non_convex(pairs, method, _fit(self.pairs, method))
        yield from _best_subset(self.pairs, lasso)
        yield from _infinite_push(self.lists)
        yield from _measures(self.fold, self.convention, lasso.weights)
        yield _single_features(self.fold.train, self.convention)

    @property
    def used(self) -> list[str]:
        """What was compared on how much of the training part, a sentence each."""
        of = self.fold.train.n_queries
        return [
            f"{what}: {'all' if part.n_queries == of else f'{part.n_queries:,} of'} {of:,} queries of the training part"
            for what, part in (("Explicit pairs", self.pairs), ("Linear program", self.lists))
        ]


def _first(data: RankingData, order: np.ndarray, sizes: np.ndarray, most: int) -> RankingData:
    """As many queries of this order as have at most so much in sum; at least one, and all if they fit."""
    if sizes.sum() <= most:
        return data
    n = max(1, int(np.searchsorted(np.cumsum(sizes), most, side="right")))
    return data.take_queries(np.sort(order[:n]))


def _fit(data: RankingData, method: str, **given: float) -> Fit:
    how = Fitting.on(Fold("audit", data), get_method(method), given, "standard")
    return how.run(how.lam(AtRatio(RATIO))).finish()


def _convex(pairs: ExplicitPairs, fit: Fit) -> Iterator[Found]:
    """lambda_max, the objective, the proved bound, and LIBLINEAR's model."""
    largest = float(np.abs(pairs.gradient(np.zeros(len(fit.weights)))).max())
    yield Check("λ_max of ℓ1", fit.lam_max, largest, "explicit pairs", 1e-9 * largest)
    ours = fit.result.objective
    theirs = pairs.loss(fit.weights) + fit.lam * float(np.abs(fit.weights).sum())
    yield Check("objective of the ℓ1 model", ours, theirs, "explicit pairs", 1e-9 * theirs)
    other, converged = pairs.liblinear(fit.lam)
    found = pairs.loss(other) + fit.lam * float(np.abs(other).sum())
    by = "LIBLINEAR on the pairs" if converged else "LIBLINEAR on the pairs, not converged"
    gap = fit.result.certificate.value
    yield Check("ℓ1: proved bound of all objectives", ours - gap, found, by, 1e-9 * found, "at most")
    best = pairs.best_lasso(fit.lam)
    yield Check("ℓ1: proved bound of all objectives", ours - gap, best, LBFGS, 1e-9 * best, "at most")
    yield Check("ℓ1: objective, above by its gap at most", ours, best, LBFGS, gap + 1e-9 * best, "at most")


def _price(method: str, fit: Fit) -> tuple[Callable[[FloatArray], FloatArray], Callable[[FloatArray], FloatArray]]:
    """The penalty of one weight, and its derivative, of sizes above 0 (Laporte et al. 2014, Table II)."""
    if method == "log":
        epsilon = fit.parameters["epsilon"]
        return lambda t: np.log(1.0 + t / epsilon), lambda t: 1.0 / (epsilon + t)
    if method == "mcp":
        knee = fit.parameters["knee"]
        return (
            lambda t: np.where(t < knee, t - t * t / (2.0 * knee), knee / 2.0),
            lambda t: np.where(t < knee, 1.0 - t / knee, 0.0),
        )
    return np.sqrt, lambda t: 0.5 / np.sqrt(t)


def _non_convex(pairs: ExplicitPairs, method: str, fit: Fit) -> Iterator[Found]:
    """The objective, and how far the model is from stationary, which may be less than we say."""
    price, slope = _price(method, fit)
    w, title = fit.weights, get_method(method).title
    size = np.abs(w[w != 0.0])
    theirs = pairs.loss(w) + fit.lam * float(price(size).sum())
    yield Check(f"objective of the {title} model", fit.result.objective, theirs, "explicit pairs", 1e-9 * theirs)
    gradient = pairs.gradient(w)
    residual = np.abs(gradient[w != 0.0] + fit.lam * slope(size) * np.sign(w[w != 0.0]))
    if method != "l0.5":  # its slope at 0 is infinite: a weight of 0 is stationary
        out = np.abs(gradient[w == 0.0]) - fit.lam * float(slope(np.zeros(1))[0])
        residual = np.concatenate([residual, np.maximum(out, 0.0)])
    largest = float(residual.max(initial=0.0)) / fit.lam
    told = fit.result.certificate.relative
    yield Check(f"{title}: residual of stationarity, over λ", told, largest, "explicit pairs", 1e-8, "at least")


def _best_subset(data: RankingData, lasso: Fit) -> Iterator[Found]:
    """The proved best subset of a few features, against all subsets one by one."""
    strongest = np.argsort(-np.abs(lasso.weights), kind="stable")[:FEW]
    few = data.with_features(data.features[:, np.sort(strongest)], [data.feature_names[j] for j in np.sort(strongest)])
    size = min(CHOSEN, few.n_features)
    fit = _fit(few, "best-subset", k=float(size))
    pairs = ExplicitPairs.of(few)
    best = min(pairs.best_ridge(list(columns), fit.lam) for columns in combinations(range(few.n_features), size))
    what, by = f"best {size} of {few.n_features} features", f"all subsets, by {LBFGS}"
    ours, gap = fit.result.objective, fit.result.certificate.value
    yield Check(f"{what}: proved bound of all objectives", ours - gap, best, by, 1e-7 * best, "at most")
    yield Check(f"{what}: objective, above by its gap at most", ours, best, by, gap + 1e-7 * best, "at most")


def _infinite_push(data: RankingData) -> Iterator[Found]:
    """The ℓ1 infinite push as a linear program, at a share of lambda_max, or where it is 0 at a small lambda."""
    what, by = "ℓ1 infinite push", "HiGHS on the whole linear program"
    how = Fitting.on(Fold("audit", data), get_method("infinite-push-l1"), {}, "standard")
    try:
        fit = how.run(how.lam(AtRatio(10.0 * RATIO))).finish()
    except EmptyOptimumError:
        best = _push_optimum(data, SMALL)
        yield Check(f"{what}: the empty model is optimal at every λ, here {SMALL:g}", 1.0, best, by, 1e-7)
        return
    ours, gap, best = fit.result.objective, fit.result.certificate.value, _push_optimum(data, fit.lam)
    yield Check(f"{what}: proved bound of all objectives", ours - gap, best, by, 1e-7 * best, "at most")
    yield Check(f"{what}: objective, above by its gap at most", ours, best, by, gap + 1e-7 * best, "at most")


def _push_optimum(data: RankingData, lam: float) -> float:
    """Minimise mean_q mean_i (1 - w.x_i + t_q)_+ + lam |w|_1 where t_q is at least w.x_j of every negative j of q."""
    x, d = data.features.astype(np.float64), data.n_features
    query = np.repeat(np.arange(data.n_queries), np.diff(data.query_offsets))
    positive = data.relevance > 0
    counts = np.bincount(query[positive], minlength=data.n_queries)
    used = (counts > 0) & (counts < np.diff(data.query_offsets))
    rows, others = np.flatnonzero(positive & used[query]), np.flatnonzero(~positive & used[query])
    number = np.cumsum(used) - 1
    n = int(used.sum())

    def of_query(documents: np.ndarray) -> csr_matrix:
        return csr_matrix(
            (np.ones(len(documents)), (np.arange(len(documents)), number[query[documents]])), shape=(len(documents), n)
        )

    ours, theirs = csr_matrix(x[rows]), csr_matrix(x[others])
    upper = hstack([-ours, ours, of_query(rows), -identity(len(rows))])
    lower = hstack([theirs, -theirs, -of_query(others), csr_matrix((len(others), len(rows)))])
    above = csr_matrix(vstack([upper, lower]))
    cost = np.concatenate([np.full(2 * d, lam), np.zeros(n), 1.0 / (n * counts[query[rows]])])
    lowest = np.concatenate([np.zeros(2 * d), np.full(n, -np.inf), np.zeros(len(rows))])
    right = np.concatenate([-np.ones(len(rows)), np.zeros(len(others))])
    found = milp(cost, bounds=Bounds(lowest, np.inf), constraints=LinearConstraint(above, -np.inf, right))
    assert found.fun is not None, found.message
    return float(found.fun)


def _scaling(fold: Fold) -> Iterator[Check]:
    """The constants of a scaling, against those of the values before it: the feature that is furthest apart."""
    scaling, train = fold.scaling, fold.train
    if scaling.origin is None or scaling.span is None:
        return
    rows = []
    for j, (origin, span) in enumerate(zip(scaling.origin.tolist(), scaling.span.tolist(), strict=True)):
        x = train.features[:, j].astype(np.longdouble) * span + origin
        unit = np.ptp(x) or 1.0
        theirs = (x.min(), np.ptp(x)) if scaling.id == "minmax" else (x.mean(), x.std())
        rows.append([np.longdouble(origin) / unit, theirs[0] / unit, np.longdouble(span) / unit, theirs[1] / unit])
    for what, (ours, found) in (("origin", np.array(rows).T[:2]), ("span", np.array(rows).T[2:])):
        j = int(np.argmax(np.abs(ours - found)))
        name = f"{what} of {train.feature_names[j]} in the scaling {scaling.id}, as a share of its range"
        yield Check(name, float(ours[j]), float(found[j]), "extended precision", 1e-6)


def _measures(fold: Fold, convention: Convention, weights: FloatArray) -> Iterator[Found]:
    """Measures of the ℓ1 model on the last part that there is."""
    part, data = list(fold.parts().items())[-1]
    scores = np.zeros(data.n_documents)
    for j in np.flatnonzero(weights):
        scores += values_of(data, np.array([j]))[:, 0] * weights[j]  # so that equal rows have equal scores
    ours = FoldJudge(fold, convention).judgement(weights).metrics[part]
    # The library judges one order; where documents are tied, that in which these keep the order of the file.
    lists, one_order = JudgedLists(data, convention), places(data, scores)
    tied = len(lists.rank(scores).tied) < data.n_documents
    untied = lists.rank(one_order).summary() if tied else ours
    absent = None
    for name in MEASURES:
        what = f"{name} of the ℓ1 model ({part}, {convention})"
        yield Check(what, ours[name], plain_measure(name, data, scores, convention), "its definition", 1e-9)
        elsewhere = Measure.parse(name).ir_measures_name(convention)
        if elsewhere is None:
            yield NotCompared(what, f"ir_measures has no name for it in the convention {convention}")
            continue
        try:
            theirs = ir_measures_mean(elsewhere, data, one_order)
        except ImportError:
            absent = "the library ir_measures is not installed"
            continue
        yield Check(what, untied[name], theirs, f"ir_measures {elsewhere}", DIGITS)
    if absent:
        yield NotCompared("measures by ir_measures", absent)


def _single_features(data: RankingData, convention: Convention) -> Check:
    """NDCG@10 of each feature alone, over the orders of ties: the one that is furthest apart."""
    chosen = np.unique(np.linspace(0, data.n_features - 1, MOST_COLUMNS).astype(int))
    scores = list(each_single_feature(data, convention))
    apart = [
        Check(
            f"NDCG@10 of {len(chosen)} single features (train, {convention}), the largest difference",
            scores[j].ndcg_at_10,
            plain_measure("NDCG@10", data, values_of(data, np.array([j]))[:, 0], convention),
            "its definition",
            1e-9,
        )
        for j in chosen
    ]
    return max(apart, key=lambda check: abs(check.ours - check.theirs))
