"""The pictures of a run of the protocol: quality and time against sparsity, the spider plot, the features kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.experiments.results.agreement import feature_names, strongest_over_folds
from core.experiments.results.example import DATASET, EXAMPLE_WORDS, example_lines
from core.experiments.results.single_scores import SingleScores
from core.experiments.run.protocol import TESTED
from core.experiments.run.titles import choice_titles
from core.export import protocol_tables as tables
from core.export.protocol_tables import Run
from core.export.scripts.protocol import protocol_script
from core.figures.protocol import agreement as protocol_agreement
from core.figures.protocol import features as protocol_features
from core.figures.protocol import spider as protocol_spider
from core.figures.protocol import time as protocol_time
from core.figures.protocol import tradeoff as protocol_tradeoff
from core.figures.protocol.tradeoff import BARS, BARS_WORDS, READING, Bars
from pages.shared.live_chart import live_chart
from pages.views.reproduce.data import described
from pages.views.reproduce.shown import single_scores, subtitle
from pages.views.reproduce.table import draw_table


def tradeoff_controls(run: Run) -> tuple[str, Bars]:
    """What the picture of the page draws: measure and bars."""
    chosen_by = run.plan.measure if run.plan.measure in TESTED else TESTED[0]
    measure = st.segmented_control(
        "Quality drawn", TESTED, default=chosen_by, required=True, key="reproduce_measure", persist_state="session"
    )
    bars = st.segmented_control(
        "Bars upwards", BARS, default=BARS[0], required=True, key="reproduce_bars", persist_state="session",
        help="Folds differ in difficulty more than methods differ. The first kind of bar leaves that part out.",
    )  # fmt: skip
    return measure, bars


def tradeoff(run: Run, measure: str, bars: Bars) -> None:
    """The picture of the page: Fig. 3 of Laporte et al. (2014)."""
    said = protocol_tradeoff.protocol_tradeoff_sentence(run.lines, measure, run.titles)
    title = f"Mean test {measure} against features kept" if measure == run.plan.measure else said  # else the headline's
    figure = protocol_tradeoff.protocol_tradeoff_figure(
        run.lines, measure, run.titles, bars=bars, title=title, subtitle=subtitle(run)
    )
    rows = protocol_tradeoff.protocol_tradeoff_rows(run.lines, measure, run.titles)
    script = _script(run, "tradeoff", "tradeoff", measure=measure, bars=bars)
    live_chart(figure, "reproduce_tradeoff", alt=said, table=pd.DataFrame(list(rows)), script=script, main=True)
    st.caption(f"{BARS_WORDS[bars].capitalize()}; {READING}.")


def example(measure: str) -> None:
    """The same of a run that comes with the program, as long as there is none of one's own."""
    measure = measure if measure in TESTED else TESTED[0]
    lines = example_lines()
    titles = choice_titles([line.choice for line in lines])
    said = protocol_tradeoff.protocol_tradeoff_sentence(lines, measure, titles)
    title = f"An example: {said}"
    about = f"{DATASET}, {lines[0].n_folds} folds, {EXAMPLE_WORDS} · press Run to see your own here"
    figure = protocol_tradeoff.protocol_tradeoff_figure(lines, measure, titles, title=title, subtitle=about)
    rows = protocol_tradeoff.protocol_tradeoff_rows(lines, measure, titles)
    live_chart(figure, "reproduce_example", alt=title, table=pd.DataFrame(list(rows)), main=True)


def spider(run: Run) -> None:
    """Fig. 2 of Laporte et al. (2014)."""
    title = protocol_spider.protocol_spider_sentence(run.lines, run.titles)
    figure = protocol_spider.protocol_spider_figure(run.lines, run.titles, title=title, subtitle=subtitle(run))
    _chart(run, "spider", figure, title, protocol_spider.protocol_spider_rows(run.lines, run.titles))


def time(run: Run) -> None:
    """Fig. 2 of Laporte et al. (CORIA 2014)."""
    title = protocol_time.protocol_time_sentence(run.lines, run.titles)
    figure = protocol_time.protocol_time_figure(run.lines, run.titles, title=title, subtitle=subtitle(run))
    _chart(run, "time", figure, title, protocol_time.protocol_time_rows(run.lines, run.titles))
    st.caption(f"{protocol_time.READING[:1].upper()}{protocol_time.READING[1:]}.")


def features(run: Run) -> None:
    """Do the methods agree, and are they the known strong ones? (CORIA 2014, §4.1.3), dataset by dataset."""
    single = single_scores(run.plan)
    for dataset in dict.fromkeys(line.dataset for line in run.lines):
        _kept(run, dataset, single)
        strong = tables.strong_table(run, dataset, single)
        if strong is not None:
            draw_table(strong)


def _kept(run: Run, dataset: str, single: SingleScores) -> None:
    lines, stem = run.lines_of(dataset), tables.stem(dataset).replace(".", "-")
    names = feature_names(lines)
    strong = strongest_over_folds(single[dataset], tables.n_strong(single, dataset)) if dataset in single else ()
    bold = f", bold: the {len(strong)} that rank best alone" if strong else ""
    title = protocol_features.protocol_features_sentence(lines, names, run.titles)
    figure = protocol_features.protocol_features_figure(
        lines, names, run.titles, strong=strong, title=title,
        subtitle=f"{dataset} · the larger a dot, the more folds keep the feature{bold}",
    )  # fmt: skip
    rows = protocol_features.protocol_features_rows(lines, names, run.titles)
    _chart(run, "features", figure, title, rows, stem=stem, dataset=dataset)
    pairs = protocol_agreement.protocol_agreement_rows(lines, run.titles)
    if pairs:
        title = protocol_agreement.protocol_agreement_sentence(lines, run.titles)
        said = f"{dataset} · {protocol_agreement.READING}"
        figure = protocol_agreement.protocol_agreement_figure(lines, run.titles, title=title, subtitle=said)
        _chart(run, "agreement", figure, title, pairs, stem=stem, dataset=dataset)


def _chart(
    run: Run,
    kind: str,
    figure: go.Figure,
    title: str,
    rows: Sequence[Mapping[str, object]],
    *,
    stem: str = "",
    **options: object,
) -> None:
    """Draw a picture with its table and script; ``stem`` tells those of several datasets apart."""
    name = f"{kind}_{stem}" if stem else kind
    table, script = pd.DataFrame(list(rows)), _script(run, kind, name, **options)
    live_chart(figure, f"reproduce_{name}", alt=title, table=table, script=script)


def _script(run: Run, kind: str, name: str, **options: object) -> str:
    """The script of a run that is complete."""
    plan = run.plan
    if len(run.results) < len(plan.cells):
        return ""
    return protocol_script(
        f"The protocol on {', '.join(dataset.name for dataset in plan.datasets)}",
        [described(dataset.source) for dataset in plan.datasets],
        [choice.label for choice in plan.choices],
        f"protocol_{kind}",
        f"reproduce_{name}",
        picture=options,
        points=plan.points,
        measure=plan.measure,
        choose=plan.rule,
    )
