"""A run of the protocol, of `core.api.protocol.run_protocol`: quality, time and features against sparsity."""

from __future__ import annotations

import pandas as pd

from core.experiments.results.agreement import feature_names, strongest_over_folds
from core.experiments.results.single_scores import training_scores
from core.export.protocol_tables import Run, n_strong
from core.figures.drawn import FigureAndTable
from core.figures.protocol import agreement, features, spider, time, tradeoff
from core.figures.protocol.tradeoff import BARS, Bars


def protocol_tradeoff(run: Run, *, measure: str = "MAP", bars: Bars = BARS[0]) -> FigureAndTable:
    """Draw quality on the test parts against the sparsity ratio: Fig. 3 of Laporte et al. (2014).

    Parameters
    ----------
    run : Run
    measure : {"MAP", "NDCG@10"}
    bars : {"less the fold's level", "standard deviation", "none"}
        The standard deviation over folds, as it is or less what a fold adds to all methods alike.

    Returns
    -------
    FigureAndTable
        Its table has a row a dataset and method.
    """
    title = tradeoff.protocol_tradeoff_sentence(run.lines, measure, run.titles)
    figure = tradeoff.protocol_tradeoff_figure(
        run.lines, measure, run.titles, bars=bars, title=title, subtitle=_about(run)
    )
    return FigureAndTable(figure, pd.DataFrame(tradeoff.protocol_tradeoff_rows(run.lines, measure, run.titles)))


def protocol_spider(run: Run) -> FigureAndTable:
    """Draw the features that methods remove, on each dataset or fold: Fig. 2 of Laporte et al. (2014)."""
    title = spider.protocol_spider_sentence(run.lines, run.titles)
    figure = spider.protocol_spider_figure(run.lines, run.titles, title=title, subtitle=_about(run))
    return FigureAndTable(figure, pd.DataFrame(spider.protocol_spider_rows(run.lines, run.titles)))


def protocol_time(run: Run) -> FigureAndTable:
    """Draw the time of fits against the sparsity ratio: Fig. 2 of Laporte et al. (CORIA 2014)."""
    title = time.protocol_time_sentence(run.lines, run.titles)
    figure = time.protocol_time_figure(run.lines, run.titles, title=title, subtitle=_about(run))
    return FigureAndTable(figure, pd.DataFrame(time.protocol_time_rows(run.lines, run.titles)))


def protocol_features(run: Run, dataset: str | None = None) -> FigureAndTable:
    """Draw in how many folds of a dataset, by default the first, each method keeps a feature; strong ones are bold."""
    name = _dataset(run, dataset)
    lines, single = run.lines_of(name), training_scores(run.plan)
    names = feature_names(lines)
    strong = strongest_over_folds(single[name], n_strong(single, name)) if name in single else ()
    title = features.protocol_features_sentence(lines, names, run.titles)
    figure = features.protocol_features_figure(lines, names, run.titles, strong=strong, title=title, subtitle=name)
    return FigureAndTable(figure, pd.DataFrame(features.protocol_features_rows(lines, names, run.titles)))


def protocol_agreement(run: Run, dataset: str | None = None) -> FigureAndTable:
    """Draw how far methods keep the same features of a dataset, by default the first."""
    name = _dataset(run, dataset)
    lines = run.lines_of(name)
    title = agreement.protocol_agreement_sentence(lines, run.titles)
    figure = agreement.protocol_agreement_figure(
        lines, run.titles, title=title, subtitle=f"{name} · {agreement.READING}"
    )
    return FigureAndTable(figure, pd.DataFrame(agreement.protocol_agreement_rows(lines, run.titles)))


def _dataset(run: Run, wanted: str | None) -> str:
    names = [dataset.name for dataset in run.plan.datasets]
    if wanted is not None and wanted not in names:
        msg = f"the run has no dataset {wanted!r}; it has {', '.join(names)}"
        raise ValueError(msg)
    return wanted or names[0]


def _about(run: Run) -> str:
    return f"Means over folds on test · {run.plan.choice_words} · {run.conventions} convention"
