"""What sparsity costs, over all folds of a dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.analysis.evaluation import FoldJudge
from core.analysis.tradeoff.fold_tradeoff import by_limit, by_ratio, marked_limits
from core.analysis.tradeoff.references import DENSE, dense_reference
from core.analysis.tradeoff.tradeoff import TradeoffPoint, tradeoff_points
from core.api.fold_tables import fold_tradeoff_table
from core.api.path import fit_path
from core.api.rules import FeatureRules
from core.data import Convention, Dataset
from core.figures.path.tuning import PART_TITLES
from core.figures.picture import Picture
from core.figures.tradeoff.axes import Across, Horizontal
from core.figures.tradeoff.fold_tradeoff import BARS, MARKS, Bars, Marks, fold_tradeoff_figure
from core.figures.tradeoff.tradeoff import View
from core.methods import get_method


def tradeoff_over_folds(
    dataset: Dataset,
    methods: Mapping[str, Mapping[str, float | str]] | Sequence[str],
    *,
    measure: str = "MAP",
    part: str = "test",
    points: int = 17,
    marks: Marks = MARKS[0],
    bars: Bars = BARS[0],
    paired: bool = False,
    against: Horizontal = "features kept",
    rules: FeatureRules | None = None,
    convention: Convention | None = None,
) -> Picture:
    """Draw quality against the number of features as means over all folds.

    Each fold chooses its models on its own validation part, tied documents in expectation over their orders.

    Parameters
    ----------
    dataset : Dataset
    methods : sequence of str, or mapping
        Ids; or the parameters of each method, by id.
    measure : {"MAP", "NDCG@10", "Top"}
    part : {"train", "vali", "test"}
    points : int
        Models a path.
    marks : str
        What the models of different folds have in common where they are averaged: how many features they may have, or
        lambda / lambda_max.
    bars : str
        The standard error of the mean, or the worst and the best fold.
    paired : bool
        Whether the value of all features on the same fold is taken off.
    against : {"features kept", "sparsity ratio"}
    rules : FeatureRules, optional
        For the methods that know rules.
    convention : {"standard", "letor3", "letor4"}, optional
        The dataset's by default.

    Returns
    -------
    Picture
        Its table has a row a method and mark.
    """
    named = methods if isinstance(methods, Mapping) else {method: {} for method in methods}
    counted = convention or dataset.convention
    folds: list[dict[str, Sequence[TradeoffPoint]]] = []
    whole: list[float] = []
    n_usable = 0
    for number in range(1, dataset.n_folds + 1):
        fold = dataset.fold(number)
        usable = FoldJudge(fold, counted).usable_features
        n_usable = max(n_usable, int(usable.sum()))
        found = {}
        for method, parameters in {**named, DENSE: named.get(DENSE, {})}.items():
            path = fit_path(
                fold,
                method,
                points=points,
                smallest_ratio=float(get_method(method).ratios[-1]),
                parameters=parameters,
                rules=rules if get_method(method).separable else None,
                convention=counted,
            )
            found[method] = tradeoff_points(path.points, usable)
        dense = dense_reference(found[DENSE], measure)
        whole += [] if dense is None else [dense.value(part, measure)]
        folds.append({method: found[method] for method in named})
    limits = marked_limits(max((p.kept for fold in folds for row in fold.values() for p in row), default=0))
    less = whole if paired else None
    summaries = {
        method: by_limit([fold[method] for fold in folds], limits, part, measure, less)
        if marks == MARKS[0]
        else by_ratio([fold[method] for fold in folds], part, measure, less)
        for method in named
    }
    figure = fold_tradeoff_figure(
        summaries,
        View(part, measure, Across(against, n_usable, True), counted),
        {method: get_method(method).title for method in named},
        marks=marks,
        bars=bars,
        less="ℓ2" if paired else "",
        title=f"{PART_TITLES[part]} {measure} over {dataset.n_folds} folds",
        subtitle=f"{dataset.name} · bars: {bars} over folds",
    )
    return Picture(figure, fold_tradeoff_table(summaries))
