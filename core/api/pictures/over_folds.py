"""What sparsity costs, over all folds of a dataset, and over datasets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.analysis.evaluation import FoldJudge
from core.analysis.features.feature_rules import FeatureRules
from core.analysis.path import PathPoint
from core.analysis.tradeoff.fold_truncation import mean_over_folds
from core.analysis.tradeoff.tradeoff import pareto_front, tradeoff_points
from core.api.fold_tables import fold_truncation_table, removed_table
from core.api.path import fit_path
from core.data import Convention, Dataset, Fold
from core.experiments.papers.folds import FoldRef
from core.experiments.papers.fsmrank_sizes import size_cells, size_curves, size_outcome
from core.experiments.run.cell_run import CellRun
from core.experiments.run.cells import MethodChoice
from core.experiments.run.learners.registry import get_learner
from core.figures.drawn import FigureAndTable
from core.figures.path.tuning import PART_TITLES
from core.figures.tradeoff.axes import Across
from core.figures.tradeoff.fold_truncation import BAND, fold_truncation_figure
from core.figures.tradeoff.over_folds import Methods
from core.figures.tradeoff.spider import spider_figure
from core.figures.tradeoff.tradeoff import View
from core.methods import EmptyOptimumError, get_method


def truncation_over_folds(
    dataset: Dataset,
    methods: Methods,
    *,
    measure: str = "MAP",
    part: str = "test",
    points: int = 17,
    sizes: Sequence[int] | None = None,
    limit: int | None = None,
    convention: Convention | None = None,
) -> FigureAndTable:
    """Draw what the k largest weights of models are worth, as means over all folds.

    Parameters
    ----------
    dataset : Dataset
        Each of its folds has a validation part, which chooses the models that are cut down.
    methods : sequence of str, or mapping
        Ids; or the parameters of each method, by id: those that are given are not tried. A method that chooses
        features first is fitted with k of them instead.
    measure : {"MAP", "NDCG@10", "Top"}
    part : {"train", "vali", "test"}
    points : int
        Values of C that are tried.
    sizes : sequence of int, optional
        Numbers of features that such a method is fitted with; by default as many as a model is cut down to.
    limit : int, optional
        A number of features, which is marked.
    convention : {"standard", "letor3", "letor4"}, optional
        The dataset's by default.

    Returns
    -------
    FigureAndTable
        Its table has a row a method and number of features.
    """
    counted = convention or dataset.convention
    refs = [_fold_ref(dataset, number, counted) for number in range(1, dataset.n_folds + 1)]
    choices = {
        MethodChoice.of(get_learner(one), given): get_method(one).title for one, given in _named(methods).items()
    }
    cells = size_cells(refs, tuple(choices), points=points, measure=measure, sizes=sizes)
    (curves,) = size_curves(CellRun(cells, size_outcome, {}).finish()).values()
    means = {label: row for label, found in curves.items() if (row := mean_over_folds(found, part, measure))}
    names = {choice.label: title for choice, title in choices.items()}
    figure = fold_truncation_figure(
        means,
        View(part, measure, Across("features kept", refs[0].n_features, True), counted),
        names,
        limit=limit,
        title=f"{PART_TITLES[part]} {measure} of the largest weights over {dataset.n_folds} folds",
        subtitle=f"{dataset.name} · band: {BAND}",
    )
    return FigureAndTable(figure, fold_truncation_table(means, names))


def removed_by_fold(
    dataset: Dataset,
    methods: Methods,
    *,
    measure: str = "MAP",
    points: int = 17,
    rules: FeatureRules | None = None,
) -> FigureAndTable:
    """Draw a spider plot of the features that methods remove on each fold of a dataset.

    Parameters
    ----------
    dataset : Dataset
    methods : sequence of str, or mapping
        Ids; or the parameters of each method, by id.
    measure : {"MAP", "NDCG@10", "Top"}
        By which the validation part, or else the training part, chooses C, tied documents in expectation.
    points : int
        Models a path.
    rules : FeatureRules, optional
        For the methods that know rules.

    Returns
    -------
    FigureAndTable
        Its table has a row a method and fold.
    """
    branches = {name: [(dataset, number)] for number, name in enumerate(dataset.fold_names, start=1)}
    return _spider(branches, methods, measure, points, rules)


def removed_by_dataset(
    datasets: Sequence[Dataset], methods: Methods, *, measure: str = "MAP", points: int = 17, most_folds: int = 1
) -> FigureAndTable:
    """Draw a spider plot of the features that methods remove on datasets, the mean over the first folds of each.

    Parameters
    ----------
    datasets : sequence of Dataset
        Each with a name of its own.
    methods, measure, points
        As for `removed_by_fold`.
    most_folds : int
        Largest number of folds of a dataset that are looked at.

    Returns
    -------
    FigureAndTable
        Its table has a row a method and dataset.
    """
    branches = {
        dataset.name: [(dataset, number) for number in range(1, min(dataset.n_folds, most_folds) + 1)]
        for dataset in datasets
    }
    return _spider(branches, methods, measure, points, None)


def _spider(
    branches: Mapping[str, Sequence[tuple[Dataset, int]]],
    methods: Methods,
    measure: str,
    points: int,
    rules: FeatureRules | None,
) -> FigureAndTable:
    removed: dict[str, dict[str, float]] = {}
    for branch, folds in branches.items():
        opened = [(dataset.fold(number), dataset.convention) for dataset, number in folds]
        for method, given in _named(methods).items():
            kept = []
            for fold, convention in opened:
                path = _path(fold, method, given, points, rules, convention)
                front = pareto_front(tradeoff_points(path, FoldJudge(fold, convention).usable_features), measure)
                kept += [front[-1].sparsity] if front else []
            if kept:
                removed.setdefault(method, {})[branch] = 1.0 - sum(kept) / len(kept)
    titles = {method: get_method(method).title for method in removed}
    said = f"1 − sparsity ratio, C best by {measure} on validation"
    return FigureAndTable(
        spider_figure(removed, titles, title="Removed features", subtitle=said), removed_table(removed)
    )


def _named(methods: Methods) -> Mapping[str, Mapping[str, float | str]]:
    return methods if isinstance(methods, Mapping) else {method: {} for method in methods}


def _path(
    fold: Fold,
    method: str,
    parameters: Mapping[str, float | str],
    points: int,
    rules: FeatureRules | None,
    convention: Convention,
) -> Sequence[PathPoint]:
    """Fit a path over the method's own range; nothing where the empty model is the best at every lambda."""
    known = get_method(method)
    try:
        return fit_path(
            fold,
            method,
            points=points,
            smallest_ratio=float(known.ratios[-1]),
            parameters=parameters,
            rules=rules if known.separable else None,
            convention=convention,
        ).points
    except EmptyOptimumError:
        return ()


def _fold_ref(dataset: Dataset, number: int, convention: Convention) -> FoldRef:
    fold = dataset.fold(number)
    identity = tuple((part, data.fingerprint) for part, data in fold.parts().items())
    return FoldRef(dataset.name, number, identity, convention, fold.train.n_features, lambda: fold)
