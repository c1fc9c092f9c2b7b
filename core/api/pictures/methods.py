"""Several methods side by side on one fold, each within a budget of time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.analysis.evaluation import FoldJudge
from core.analysis.fitting import AtRatio, OnValidation
from core.analysis.tuning.method_bench import BenchPlan, HowToSetC, MethodBench
from core.api.bench_table import bench_table
from core.data import Convention, Fold
from core.experiments.results.difference import model_difference
from core.figures.drawn import FigureAndTable
from core.figures.path.tuning import PART_TITLES
from core.figures.tradeoff.method_bench import bench_best, bench_figure, bench_sentence
from core.methods import get_method
from core.methods.families import full_title
from core.metrics import Measure


@dataclass(frozen=True)
class BenchMethod:
    """A method in a comparison.

    Attributes
    ----------
    id : str
    solver : str, optional
    parameters : mapping
        Those that are given; others with values to try are chosen together with C.
    tol : float, optional
        Relative certificate to reach; the method's own rule by default.
    """

    id: str
    solver: str | None = None
    parameters: Mapping[str, float] = field(default_factory=dict)
    tol: float | None = None


def methods(
    fold: Fold,
    wanted: Sequence[BenchMethod | str],
    *,
    measure: str = "MAP",
    measures: Sequence[str] = ("MAP", "NDCG@10"),
    ratio: float | None = None,
    seconds: float = 5.0,
    convention: Convention = "standard",
) -> FigureAndTable:
    """Draw methods side by side: quality on the last part of the fold against features kept.

    Parameters
    ----------
    fold : Fold
    wanted : sequence of BenchMethod or str
    measure : str
        That picks one of them, and each one's C on the validation part.
    measures : sequence of str
        Columns of the table.
    ratio : float, optional
        lambda / lambda_max at which all are fitted, in place of the validation part's choice.
    seconds : float
        Of solver time, for all fits of a method together.
    convention : {"standard", "letor3", "letor4"}

    Returns
    -------
    FigureAndTable
        Its table has a row a method.
    """
    judge = FoldJudge(fold, convention)
    how: HowToSetC = OnValidation(str(Measure.parse(measure))) if ratio is None else AtRatio(ratio)
    plans = [_plan(BenchMethod(one) if isinstance(one, str) else one, seconds) for one in wanted]
    rows = MethodBench(plans, {}, judge, how).finish()
    part = list(fold.parts())[-1]
    near = bench_best(rows, judge.usable_features, part, measure)
    fits = {row.method: row.fit for row in rows if row.ranks and row.fit is not None}
    differences = {}
    if near is not None:
        best = fits.pop(near.best.method)
        differences = {
            method: model_difference(judge, fit.weights, best.weights, part, measure) for method, fit in fits.items()
        }
    titles = {row.method: full_title(get_method(row.method)) for row in rows}
    figure = bench_figure(
        rows,
        titles,
        part=part,
        measure=measure,
        up=f"{measure} ({PART_TITLES[part]}, {convention})",
        usable=int(judge.usable_features.sum()),
        title=bench_sentence(rows, titles, part, measure, judge.usable_features, differences),
        subtitle=f"{fold.name} · the larger the mark, the longer it took",
    )
    return FigureAndTable(figure, bench_table(rows, part, measures, chosen_by=measure, differences=differences))


def _plan(wanted: BenchMethod, seconds: float) -> BenchPlan:
    method = get_method(wanted.id)
    stop = replace(method.stop_at(wanted.tol), max_seconds=seconds)
    return BenchPlan(wanted.id, wanted.id, method.solver(wanted.solver).id, dict(wanted.parameters), stop, seconds)
