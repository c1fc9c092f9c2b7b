"""The rules of every choice among models: which model is chosen, by what value, and which of two equal ones wins."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from core.data import DataError
from core.data.ranking_data import FloatArray, IntArray
from core.metrics.equal_values import first_highest, rounded

ChoiceRule = Literal["best", "one-se", "average"]
RULES: tuple[ChoiceRule, ...] = get_args(ChoiceRule)
RULE_TITLES: dict[ChoiceRule, str] = {
    "best": "best on validation",
    "one-se": "sparsest within one standard error",
    "average": "average over bootstraps",
}
RULE_WORDS: dict[ChoiceRule, str] = {
    "best": "The papers' rule: the model with the best mean over the validation queries.",
    "one-se": (
        "The model with the fewest features among those whose mean over the validation queries is below the best one's "
        "by no more than the standard error of that difference (paired over queries)."
    ),
    "average": (
        "The validation queries are resampled many times with replacement, and the best model is chosen each time. "
        "The rule takes the model in the middle of those choices: at the mean of their places on the grid of λ (among "
        "the settings chosen most often)."
    ),
}
AVERAGED = 20_000
"""Bootstraps that the rule "average" takes the mean of.

With 50, other draws moved the choice on MQ2008 over up to seven places of 50; with as many as these they move it by one
at most, and only where the mean lies between two places.
"""
AVERAGED_AGAIN = 200
"""Bootstraps in each of the choices that are repeated on resampled queries: their spread from draw to draw is small
beside that between the resamples."""
SETTLED = 3.0
"""Monte Carlo errors that a choice of the rule "average" lies away from the next one, for it to count as settled."""
_BLOCK = 1 << 21  # counts of a block of resamples


FEWEST_QUERIES = 10
"""Fewer queries are an example: no interval, p-value or ± of theirs says anything of others."""
NOT_KNOWN = (
    f"the validation part has fewer than {FEWEST_QUERIES} queries, or none that tells the models apart: the noise of "
    "the choice is not known"
)


def check_rule(rule: str) -> ChoiceRule:
    """Return the rule of that name.

    Raises a `ValueError` if there is none.
    """
    for known in RULES:
        if rule == known:
            return known
    msg = f"there is no rule of choice called {rule!r}; there are {', '.join(RULES)}"
    raise ValueError(msg)


def no_validation_part() -> DataError:
    """Return the error for a choice of C without a validation part."""
    return DataError(
        "there is no validation part to choose C on; give C, or a dataset with train, vali and test, or divide a "
        "single file into folds (--folds 5)"
    )


def choosing_part(parts: Iterable[str]) -> str:
    """Return the part that models are chosen on: vali, or train if there is no vali."""
    return "vali" if "vali" in parts else "train"


def preference(lams: ArrayLike, sizes: ArrayLike) -> IntArray:
    """Return the positions of models in the order in which they win among equal values, shape (n_models,).

    The largest lambda comes first, then the fewest features, then the first model.

    Parameters
    ----------
    lams : array-like, shape (n_models,)
    sizes : array-like of int, shape (n_models,)
        Features kept.
    """
    return np.lexsort((np.asarray(sizes), -np.asarray(lams, dtype=np.float64))).astype(np.int64)


def highest(values: ArrayLike, lams: ArrayLike, sizes: ArrayLike) -> int:
    """Return the position of the model with the highest value; among equals the first in `preference`.

    Raises a `ValueError` if there is nothing to choose from.

    Parameters
    ----------
    values : array-like, shape (n_models,)
    lams, sizes : array-like, shape (n_models,)
    """
    worth = np.asarray(values, dtype=np.float64)
    if worth.size == 0:
        msg = "there is no model to choose from"
        raise ValueError(msg)
    order = preference(lams, sizes)
    return int(order[first_highest(worth[order])])


def tells_apart(values: Sequence[float]) -> bool:
    """Whether these values of the models of a path choose one of them: not where all are the same."""
    worth = [rounded(value) for value in values]
    return max(worth) > min(worth)


@dataclass(frozen=True)
class Middle:
    """The choice of the rule "average", with what its own draw of bootstraps leaves open.

    Attributes
    ----------
    model : int
        Position of the chosen model.
    place : float
        Mean place of the choices on the grid of lambda, counting from 1 at the largest.
    error : float
        Monte Carlo standard error of ``place``.
    settled : bool
        Whether another draw of as many bootstraps would choose the same model: ``place`` is more than `SETTLED` errors
        away from the middle between two places, and so are the votes for the settings.
    """

    model: int
    place: float
    error: float
    settled: bool
    bootstraps: int

    @property
    def words(self) -> str:
        """The place with its error, and what another draw could change."""
        found = f"mean place {self.place:.2f} ± {self.error:.2f} on the grid over {self.bootstraps:,} bootstraps"
        return found if self.settled else f"{found}, between two models: another draw could take the other"

    def record(self) -> dict[str, Any]:
        """Return the record that ``fit --json`` prints."""
        return {name: value for name, value in asdict(self).items() if name != "model"}


@dataclass(frozen=True, eq=False)
class ChoiceTable:
    """The data of a choice among models.

    Attributes
    ----------
    values : ndarray, shape (n_models, n_queries)
        The measure of every model on every validation query, in expectation over the orders of tied documents. The
        order of the queries decides which are drawn: `core.data.division.query_order`, not that of the file.
    lams : ndarray, shape (n_models,)
    sizes : ndarray of int, shape (n_models,)
        Features kept.
    settings : sequence of tuple
        What else differs between the models, one entry a model; empty where it is only lambda.
    """

    values: FloatArray
    lams: FloatArray
    sizes: IntArray
    settings: Sequence[tuple[object, ...]] = ()

    def choose(self, rule: ChoiceRule, weights: FloatArray | None = None) -> int:
        """Return the position of the model that the rule chooses.

        Raises a `ValueError` if there is no such rule, or no model.

        Parameters
        ----------
        weights : ndarray, shape (n_queries,), optional
            How often each query counts; once by default.
        """
        check_rule(rule)
        n = self.values.shape[1]
        counts = np.ones(n) if weights is None else weights
        best = highest(self.values @ counts / counts.sum(), self.lams, self.sizes)
        if rule == "one-se":
            return self._sparsest_near(best, counts)
        if rule == "average":
            return self.averaged.model if weights is None else self.middle(counts=counts).model
        return best

    def _sparsest_near(self, best: int, counts: FloatArray) -> int:
        """Breiman et al. (1984) within one standard error; here of the paired difference, which is what varies."""
        total = counts.sum()
        below = self.values[best] - self.values
        mean = below @ counts / total
        variance = np.maximum((below**2) @ counts / total - mean**2, 0.0)
        error = np.sqrt(variance / max(total - 1.0, 1.0))
        near = np.flatnonzero(rounded(mean - error) <= 0.0)
        fewest = near[self.sizes[near] == self.sizes[near].min()]
        among = highest(-mean[fewest], self.lams[fewest], self.sizes[fewest])
        return int(fewest[among])

    @cached_property
    def averaged(self) -> Middle:
        """The choice of the rule "average" on the queries as they are."""
        return self.middle()

    def middle(self, n_bootstraps: int = AVERAGED, *, counts: FloatArray | None = None, seed: int = 0) -> Middle:
        """Choose by the rule "average".

        Parameters
        ----------
        counts : ndarray, shape (n_queries,), optional
            How often each query counts; once by default.
        """
        return self._middle(self.resampled(n_bootstraps, counts=counts, seed=seed))

    def _middle(self, drawn: IntArray) -> Middle:
        """Return the model in the middle of these choices."""
        kinds = [self.settings[i] if len(self.settings) else () for i in range(len(self.lams))]
        taken = np.bincount(drawn, minlength=len(kinds))
        votes: dict[tuple[object, ...], int] = {}
        for kind, number in zip(kinds, taken.tolist(), strict=True):
            votes[kind] = votes.get(kind, 0) + number
        kind = max(votes, key=lambda k: (votes[k], -kinds.index(k)))
        own = np.array([i for i in range(len(kinds)) if kinds[i] == kind])
        own = own[preference(self.lams[own], self.sizes[own])]
        # Places and not values: a grid need not be even, and some lambdas only name a model.
        weight, places = taken[own], np.arange(len(own))
        total = int(weight.sum())
        mean = float(places @ weight / total)
        error = float(np.sqrt(np.square(places - mean) @ weight / total / total))
        model = int(own[highest(-np.abs(places - mean), self.lams[own], self.sizes[own])])
        to_border = abs(abs(mean % 1.0) - 0.5)
        return Middle(model, mean + 1.0, error, to_border > SETTLED * error and _clear_lead(votes), len(drawn))

    def resampled(
        self, n_resamples: int, rule: ChoiceRule = "best", *, counts: FloatArray | None = None, seed: int = 0
    ) -> IntArray:
        """Repeat the choice on validation queries drawn with replacement, shape (n_resamples,).

        Tables with the same number of queries and the same seed use the same draws, so that methods are compared in
        pairs.

        Parameters
        ----------
        counts : ndarray, shape (n_queries,), optional
            How often each query is there to be drawn; once by default.
        """
        n = self.values.shape[1]
        share = np.full(n, 1.0 / n) if counts is None else counts / counts.sum()
        size = n if counts is None else int(counts.sum())
        rng = np.random.default_rng(seed)
        block = max(_BLOCK // n, 1)
        drawn = [
            self._choices(rng.multinomial(size, share, size=min(block, n_resamples - first)), rule)
            for first in range(0, n_resamples, block)
        ]
        return np.concatenate(drawn) if drawn else np.zeros(0, dtype=np.int64)

    def _choices(self, counts: IntArray, rule: ChoiceRule) -> IntArray:
        """Choose once for each row of counts, shape (n_resamples, n_queries)."""
        if rule == "one-se":
            return np.array([self.choose(rule, row.astype(np.float64)) for row in counts], dtype=np.int64)
        if rule == "average":
            return self._middles(counts)
        order = preference(self.lams, self.sizes)
        means = rounded(counts @ self.values[order].T / counts[0].sum())
        return np.asarray(order[means.argmax(axis=1)])

    def _middles(self, counts: IntArray) -> IntArray:
        """Choose by the rule "average" for each row of counts; the bootstraps draw the same places of every row."""
        size = int(counts[0].sum())
        inner = np.random.default_rng(0).multinomial(size, np.full(size, 1.0 / size), size=AVERAGED_AGAIN)
        found = []
        for row in counts:
            there = ChoiceTable(np.repeat(self.values, row, axis=1), self.lams, self.sizes, self.settings)
            found.append(there._middle(there._choices(inner, "best")).model)
        return np.array(found, dtype=np.int64)


def _clear_lead(votes: dict[tuple[object, ...], int]) -> bool:
    """Whether another draw of as many votes would elect the same."""
    first, second, *_ = [*sorted(votes.values(), reverse=True), 0]
    return bool(first - second > SETTLED * np.sqrt(first + second))
