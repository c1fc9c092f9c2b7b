"""Summary of a run of the protocol: one line a dataset and method, with every fold."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import mean, stdev
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.endings import WorstGap, worst_gap, worst_of
from core.analysis.tuning.choice_noise import ByChoice
from core.analysis.tuning.grid_end import GridEnd, grid_end_of
from core.experiments.results.training_draws import training_record
from core.experiments.run.cells import Cell, MethodChoice
from core.experiments.run.plan import Plan
from core.experiments.run.protocol import SHARES, TESTED, CellResult

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class OverFolds:
    """A quantity on every fold."""

    folds: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Mean over folds, as in the papers."""
        return mean(self.folds)

    @property
    def deviation(self) -> float:
        """Standard deviation over folds; 0 for a single one."""
        return stdev(self.folds) if len(self.folds) > 1 else 0.0

    def words(self, digits: int) -> str:
        """The mean ± the deviation; one fold has no deviation."""
        spread = f" ± {self.deviation:.{digits}f}" if len(self.folds) > 1 else ""
        return f"{self.mean:.{digits}f}{spread}"


@dataclass(frozen=True, eq=False)
class MethodLine:
    """The results of a method on a dataset."""

    dataset: str
    choice: MethodChoice
    convention: str
    n_folds: int  # number of folds of the dataset; a complete line has this many results
    results: Mapping[int, CellResult]  # by fold, counting from 1
    # For every draw of the training queries that all folds have finished, the results of the folds.
    draws: Sequence[Sequence[CellResult]] = ()

    @property
    def complete(self) -> bool:
        """Whether every fold has a result."""
        return len(self.results) == self.n_folds

    def measure(self, name: str) -> OverFolds:
        """Return MAP, NDCG@10, … on the test parts over the orders of ties, or another `CellResult.quantity`."""
        return OverFolds(tuple(result.quantity(name) for result in self.results.values()))

    def official(self, name: str) -> OverFolds:
        """Return the same as tables print it: under LETOR's conventions in file order among ties."""
        if name in SHARES:
            return self.measure(name)
        return OverFolds(tuple(result.official(name) for result in self.results.values()))

    def printed(self, name: str) -> str:
        """Write the mean that tables print with four digits, and a mark where that over orders differs."""
        official, mean_over_orders = f"{self.official(name).mean:.4f}", f"{self.measure(name).mean:.4f}"
        return official if official == mean_over_orders else f"{official}*"

    @property
    def sparsity_ratio(self) -> OverFolds:
        """Features used, as a share of those that are not zero everywhere."""
        return self.measure("sparsity ratio")

    @property
    def seconds(self) -> OverFolds:
        """Solver time over the whole grid."""
        return OverFolds(tuple(result.seconds for result in self.results.values()))

    @property
    def n_features(self) -> OverFolds:
        """Number of features kept."""
        return self.measure("features")

    @property
    def unfinished(self) -> dict[int, WorstGap]:
        """The folds whose chosen model is unfinished, each with its gap; see `core.analysis.endings.worst_gap`."""
        found = {fold: worst_gap(result.record) for fold, result in self.results.items()}
        return {fold: gap for fold, gap in found.items() if gap is not None}

    @property
    def worst_gap(self) -> WorstGap | None:
        """The gap of the least accurate unfinished model; None if all are finished."""
        return worst_of(list(self.unfinished.values()))

    @property
    def at_grid_end(self) -> dict[int, GridEnd]:
        """The folds whose lambda was chosen at an end of its grid, each with that end."""
        found = {fold: grid_end_of(result.record) for fold, result in self.results.items()}
        return {fold: end for fold, end in found.items() if end is not None}

    @property
    def widened(self) -> dict[int, dict[str, Any]]:
        """How far the grid of lambda was widened, by fold; folds whose grid was not to widen are not in it."""
        records = {fold: result.record for fold, result in self.results.items()}
        return {fold: record["grid_widened"] for fold, record in records.items() if "grid_widened" in record}

    @property
    def tried(self) -> frozenset[int]:
        """The numbers of values of lambda among which the folds chose; empty where nothing was tried."""
        grids = [result.record.get("grid", ()) for result in self.results.values()]
        return frozenset(len({point["lambda"] for point in grid if "lambda" in point}) for grid in grids) - {0}

    @property
    def chosen_again(self) -> bool:
        """Whether every fold has the choices on resampled validation queries."""
        return all(len(result.drawn) > 0 for result in self.results.values())

    def by_choice(self, measure: str) -> ByChoice | None:
        """Return the mean over folds under choices on resampled validation queries; None if unknown.

        Parameters
        ----------
        measure : {"MAP", "NDCG@10", "sparsity ratio", "share of features", "features"}
        """
        found = self.over_choices(measure)
        return None if found is None else ByChoice.of(found)

    def over_choices(self, measure: str) -> FloatArray | None:
        """Return the mean over folds for every choice on resampled validation queries, shape (n_resamples,).

        None if it is unknown: where a validation part is a single list, or for other measures than
        those of `by_choice`.
        """
        if not self.chosen_again or measure not in (*TESTED, *SHARES, "features"):
            return None
        return np.asarray(np.mean([result.over_choices(measure) for result in self.results.values()], axis=0))

    def all_by_choice(self) -> dict[str, ByChoice | None]:
        """Return every quantity under these choices, by name."""
        return {name: self.by_choice(name) for name in TESTED} | {"nonzero": self.by_choice("features")}

    def per_query_by_choice(self, measure: str) -> FloatArray:
        """Return the measure of every test query of all folds under every choice, shape (n_resamples, n_queries)."""
        every = [result.drawn_tests[measure][result.drawn] for result in self.results.values()]
        return np.concatenate(every, axis=1)

    def per_query(self, measure: str) -> FloatArray:
        """Return average precision ("MAP") or NDCG@10 of every test query of all folds, shape (n_queries,)."""
        return np.concatenate([result.per_query[measure] for result in self.results.values()])

    def selected(self) -> dict[int, int]:
        """Return the number of folds in which a feature is kept, by its index from 1."""
        counts: dict[int, int] = {}
        for result in self.results.values():
            for index in (np.flatnonzero(result.weights) + 1).tolist():
                counts[index] = counts.get(index, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    def record(self) -> dict[str, Any]:
        """Return the record that ``protocol --json`` prints: means, and every fold."""
        return {
            "dataset": self.dataset,
            "method": self.choice.label,
            "parameters": dict(self.choice.settings),
            "convention": self.convention,
            "complete": self.complete,
            **{name: self.official(name).mean for name in TESTED},
            "expected_over_ties": {
                name: self.measure(name).mean for name in TESTED if self.measure(name) != self.official(name)
            },
            "sparsity_ratio": self.sparsity_ratio.mean,
            "nonzero": self.n_features.mean,
            "seconds": self.seconds.mean,
            "spread": {
                **{name: self.official(name).deviation for name in TESTED},
                "sparsity_ratio": self.sparsity_ratio.deviation,
            },
            "by_choice": {name: asdict(found) for name, found in self.all_by_choice().items() if found is not None},
            **training_record(self.draws),
            "unfinished": {
                "folds": list(self.unfinished),
                "worst": None if self.worst_gap is None else asdict(self.worst_gap),
            },
            "grid_end": {"folds": list(self.at_grid_end), "which": list(self.at_grid_end.values())},
            "folds": [_fold_record(fold, result) for fold, result in self.results.items()],
        }


def summarise(plan: Plan, results: Mapping[Cell, CellResult]) -> tuple[MethodLine, ...]:
    """Return every line with at least one result, in the order of the plan."""
    folds: dict[tuple[str, MethodChoice], dict[int, CellResult]] = {}
    again: dict[tuple[str, MethodChoice], dict[int, list[CellResult]]] = {}
    for cell in plan.cells:
        if cell in results:
            line = cell.dataset, cell.choice
            if cell.draw:
                again.setdefault(line, {}).setdefault(cell.draw, []).append(results[cell])
            else:
                folds.setdefault(line, {})[cell.fold] = results[cell]

    def draws(line: tuple[str, MethodChoice], n_folds: int) -> tuple[Sequence[CellResult], ...]:
        found = again.get(line, {})
        return tuple(found[draw] for draw in sorted(found) if len(found[draw]) == n_folds)

    return tuple(
        MethodLine(
            dataset.name,
            choice,
            dataset.convention,
            dataset.n_folds,
            folds[dataset.name, choice],
            draws((dataset.name, choice), dataset.n_folds),
        )
        for dataset in plan.datasets
        for choice in plan.choices
        if (dataset.name, choice) in folds
    )


def choice_note(lines: Sequence[MethodLine]) -> str:
    """Say how exactly the resamples give ± choice, and how many averages lie between two models; empty if unknown."""
    found = [one for line in lines for one in line.all_by_choice().values() if one is not None and one.deviation > 0.0]
    if not found:
        return ""
    worst = max(one.deviation_error / one.deviation for one in found)
    draws = max(len(result.drawn) for line in lines for result in line.results.values())
    note = f" It is over {draws} resamples, which give each of these ± to {100.0 * worst:.0f} % of itself."
    cells = [result.record.get("choice", {}) for line in lines for result in line.results.values()]
    averages = [choice["average"] for choice in cells if "average" in choice]
    if averages:
        open_ones = sum(not average["settled"] for average in averages)
        note += (
            f" Average of {averages[0]['bootstraps']:,} bootstraps: {open_ones} of {len(averages)} choices lie between "
            "two models, where another draw of bootstraps could take the other."
        )
    return note


def tried_words(lines: Sequence[MethodLine], titles: Mapping[str, str] | None = None) -> str:
    """Say among how many values C was chosen, with the methods that differ; empty where nothing was tried.

    Parameters
    ----------
    titles : mapping, optional
        Of methods by their labels.
    """
    tried: dict[str, set[int]] = {}
    for line in lines:
        if line.tried:
            tried.setdefault(line.choice.label, set()).update(line.tried)
    if not tried:
        return ""
    written = {label: f"{min(n)} to {max(n)}" if len(n) > 1 else str(*n) for label, n in tried.items()}
    counted = list(written.values())
    usual = max(counted, key=counted.count)
    apart = [f"{(titles or {}).get(label, label)}: {words}" for label, words in written.items() if words != usual]
    return f"{usual} ({', '.join(apart)})" if apart else usual


def tied_measures(lines: Sequence[MethodLine]) -> frozenset[str]:
    """The measures that the order of the file changes in some fold of some line."""
    return frozenset(name for name in TESTED if any(line.measure(name) != line.official(name) for line in lines))


def measure_columns(name: str, official: float, over_orders: float, tied: Collection[str]) -> dict[str, float]:
    """Return a measure's values by heading. If the order of tied documents counts, it says which."""
    if name in tied:
        return {f"{name} in file order": official, f"{name} over ties": over_orders}
    return {name: official}


def _fold_record(fold: int, result: CellResult) -> dict[str, Any]:
    record = result.record
    return {
        "fold": fold,
        **{name: result.official(name) for name in TESTED},
        "expected_over_ties": {
            name: result.test(name) for name in TESTED if result.test(name) != result.official(name)
        },
        "sparsity_ratio": result.sparsity_ratio,
        "seconds": result.seconds,
        "parameters": record.get("parameters", {}),
        **{name: record[name] for name in ("lambda", "C", "nonzero", "certificate", "stop")},
        "unfinished": worst_gap(record) is not None,
        "grid_end": grid_end_of(record),
        **{name: record[name] for name in ("grid_widened", "starts") if name in record},
    }
