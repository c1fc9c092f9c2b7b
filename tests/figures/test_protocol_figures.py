"""Pictures of a protocol run: the numbers of its lines, in the methods' colours, and sentences that are so."""

from statistics import mean, stdev
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from core.api import pictures
from core.experiments.results.run import Run
from core.experiments.results.summary import MethodLine
from core.experiments.run.cells import choice_titles
from core.figures.look.style import METHOD_STYLES
from core.figures.picture import Words
from core.figures.protocol.features import RunFeatures
from core.figures.protocol.marks import REFERENCE_STYLE, line_styles, panel_rows
from core.figures.protocol.sparsity import removed_features
from core.figures.protocol.tradeoff import (
    ProtocolTradeoff,
    protocol_front,
    protocol_tradeoff_figure,
    protocol_tradeoff_rows,
    protocol_tradeoff_sentence,
)
from tests.experiments.made_up import NAMES, four_lines, line, result, run
from tests.says import assert_says

LINES = four_lines()
TITLES = choice_titles(one.choice for one in LINES)


def marks(figure: go.Figure) -> dict[str, Any]:
    return {trace.customdata[0][0]: trace for trace in figure.data if trace.mode == "markers" and trace.customdata}


def run_of(*lines: MethodLine) -> Run:
    return Run(*run(lines), {}, None)


MADE = run_of(*LINES)


def elsewhere(one: MethodLine, dataset: str) -> MethodLine:
    return MethodLine(dataset, one.choice, one.convention, one.n_folds, one.results)


def test_a_mark_stands_at_the_means_in_its_methods_colour() -> None:
    drawn = marks(protocol_tradeoff_figure(LINES, "MAP", TITLES))
    assert list(drawn) == ["l1", "log", "fenchelrank", "l2"]
    for one in LINES:
        mark = drawn[one.choice.label]
        assert mark.y[0] == mean(found.test("MAP") for found in one.results.values())
        assert mark.x[0] == mean(found.sparsity_ratio for found in one.results.values())
        assert mark.error_x.array[0] == pytest.approx(stdev(found.sparsity_ratio for found in one.results.values()))
        assert mark.marker.color == METHOD_STYLES[one.choice.method].colour


def test_bars_leave_out_what_a_fold_adds_to_all_methods() -> None:
    """Here folds differ by the same for all: nothing is left of it."""
    assert marks(protocol_tradeoff_figure(LINES, "MAP", TITLES))["l1"].error_y.array[0] == pytest.approx(0.0, abs=1e-12)
    whole = protocol_tradeoff_figure(LINES, "MAP", TITLES, bars="standard deviation")
    assert marks(whole)["l1"].error_y.array[0] == pytest.approx(stdev([0.06, 0.0, -0.06]))
    alone = protocol_tradeoff_figure(LINES[:1], "MAP", TITLES)
    assert marks(alone)["l1"].error_y.array[0] == pytest.approx(0.06)  # no level to take off


def test_the_front_is_what_nothing_beats() -> None:
    assert [one.choice.label for one in protocol_front(LINES, "MAP")] == ["log", "l1", "fenchelrank"]
    rows = protocol_tradeoff_rows(LINES, "MAP", TITLES)
    assert [row["Pareto front"] for row in rows] == ["yes", "yes", "yes", "no"]
    assert rows[2]["features"] == 4.0
    staircase = protocol_tradeoff_figure(LINES, "MAP", TITLES).data[0]
    assert list(staircase.x[:-1]) == [mean(row) for row in ([1 / 8] * 3, [2 / 8] * 3, [4 / 8, 3 / 8, 5 / 8])]


def test_the_title_names_the_best_and_a_sparser_one_as_good() -> None:
    said = protocol_tradeoff_sentence(LINES, "MAP", TITLES)
    assert_says(said, "FenchelRank", "highest", "test MAP", "0.5000", "4.0 features", "RankSVM ℓ1", "99.6 %", "2.0")
    assert "so far" not in said
    assert_says(protocol_tradeoff_sentence(LINES[1:], "MAP", TITLES), "FenchelRank", "no sparser", "99 %")
    both = [elsewhere(one, name) for name in ("A", "B") for one in LINES]
    said = protocol_tradeoff_sentence(both, "MAP", TITLES)
    assert_says(said, "2 datasets", "99 %", "best MAP", "50 %", "features", "average")


def test_datasets_stand_in_panels_with_one_legend() -> None:
    both = [elsewhere(one, name) for name in ("A", "B") for one in LINES]
    for figure in (protocol_tradeoff_figure(both, "MAP", TITLES), pictures.protocol_time(run_of(*both)).figure):
        named = [trace.name for trace in figure.data if trace.mode == "markers" and trace.showlegend]
        assert named == [TITLES[one.choice.label] for one in LINES]
        assert len({trace.xaxis for trace in figure.data}) == 2
    assert [panel_rows(n) for n in (0, 1, 3, 4, 9, 10)] == [1, 1, 1, 2, 3, 4]


def test_times_are_the_grids_on_a_log_axis() -> None:
    picture = pictures.protocol_time(MADE)
    figure = picture.figure
    mark = marks(figure)["fenchelrank"]
    assert (mark.y[0], mark.error_y.array[0], mark.error_y.arrayminus[0]) == (15.0, 15.0, 10.0)
    assert figure.layout.yaxis.type == "log"
    assert picture.table["slowest fold"][2] == 30.0
    said = picture.sentence(LINES)
    assert_says(said, "FenchelRank", "100 times", "RankSVM ℓ2", "whole grid", "fold", "15 s", "150 ms")


def test_the_spider_has_folds_or_datasets_as_branches() -> None:
    folds = removed_features(LINES)
    assert folds["fenchelrank"] == {"fold 1": 4 / 8, "fold 2": 5 / 8, "fold 3": 3 / 8}
    unfinished = line("log", {1: result(0.4, [1])}, dataset="B", n_folds=3)
    both = removed_features([*LINES, elsewhere(LINES[0], "B"), unfinished])
    assert (both["l1"], both["log"]) == ({"MQ2008": 0.75, "B": 0.75}, {"MQ2008": 1 - 1 / 8})
    picture = pictures.protocol_spider(MADE)
    said = picture.sentence(LINES)
    assert_says(said, "RankSVM log", "removes", "88 %", "average", "RankSVM ℓ2", "0 %")
    assert len(picture.table) == 12
    assert [trace.name for trace in picture.figure.data] == list(TITLES.values())


def test_a_spider_closes_its_lines_and_leaves_out_what_a_method_lacks() -> None:
    lines = [elsewhere(one, name) for name in "ABC" for one in LINES[:2] if (one, name) != (LINES[1], "B")]
    figure = pictures.protocol_spider(run_of(*lines)).figure
    l1, log = figure.data
    assert (list(l1.theta), list(l1.r), list(log.theta)) == (list("ABCA"), [0.75] * 4, list("ACA"))
    assert figure.layout.polar.angularaxis.categoryarray == ("A", "B", "C")
    odd = pictures.protocol_spider(run_of(*(elsewhere(LINES[0], name) for name in ("A", "B", "a <b>")))).figure
    assert list(odd.data[0].theta) == ["A", "B", "a &lt;b&gt;", "A"], "Plotly reads HTML"
    (two,) = pictures.protocol_spider(run_of(*lines[:3:2])).figure.data  # no polygon, but still a picture
    assert (two.type, list(two.y), list(two.x)) == ("scatter", ["A", "B"], [0.75, 0.75])


def test_dots_grow_with_folds_and_the_most_kept_stand_on_top() -> None:
    picture = pictures.protocol_features(MADE)
    figure = picture.drawing(RunFeatures(LINES, NAMES, (2,)), Words(""))
    l1, log, fenchel = figure.data  # l2 keeps everything and has nothing to say
    assert [row[1] for row in l1.customdata] == [1, 2, 3]
    assert [row[2] for row in l1.customdata] == [3, 2, 1]
    assert list(np.diff(l1.marker.size)) == pytest.approx([-11 / 3, -11 / 3])
    assert list(l1.y) == [0, 1, 2]
    assert list(fenchel.y) == [0, 1, 2, 3, 4]
    assert [label.strip() for label in figure.layout.yaxis.ticktext[:3]] == ["name 1", "<b>name 2 </b>", "name 3"]
    assert list(figure.layout.xaxis.ticktext) == ["RankSVM ℓ1", "RankSVM log", "FenchelRank"]
    rows = picture.rows(RunFeatures(LINES, NAMES, ())).to_dict("records")
    assert rows[0] == {"feature": 1, "name": "name 1", "RankSVM ℓ1": 3, "RankSVM log": 2, "FenchelRank": 3,
                       "RankSVM ℓ2": 3}  # fmt: skip
    assert log.marker.color == METHOD_STYLES["log"].colour


def test_the_sentence_counts_models_and_one_of_nothing_says_so() -> None:
    def sentence(*lines: MethodLine) -> str:
        return pictures.protocol_features(MADE).sentence(RunFeatures(lines, NAMES, ()))

    said = sentence(*LINES)
    assert_says(said, "name 1, name 2", "kept", "at least half", "9 models")
    assert "name 3" not in said
    spread = line("l1", {1: result(0.5, [1]), 2: result(0.5, [2]), 3: result(0.5, [3])})
    assert_says(sentence(spread), "No feature", "half", "name 1", "1 of 3")
    assert_says(sentence(line("l1", {1: result(0.1, [])})), "No model")
    times, spider = pictures.protocol_time(MADE), pictures.protocol_spider(MADE)
    for nothing in (protocol_tradeoff_sentence([], "MAP", {}), times.sentence([]), spider.sentence([])):
        assert_says(nothing, "No method", "all folds")
    assert_says(pictures.protocol_agreement(MADE).sentence(LINES[:1]), "No two methods", "leave features out")


def test_agreement_stands_below_the_diagonal_and_chance_above() -> None:
    picture = pictures.protocol_agreement(MADE)
    values = np.array(picture.figure.data[0].z)
    assert values.shape == (3, 3)
    assert values[1, 0] == pytest.approx(0.5)
    rows = {(row["method"], row["and"]): row for row in picture.table.to_dict("records")}
    assert len(rows) == 6
    pair = rows["RankSVM ℓ1", "RankSVM log"]
    assert (values[1, 0], values[0, 1]) == (pair["agreement"], pair["by chance"])
    assert np.isnan(np.diag(values)).all()
    shared = np.mean([row["agreement"] for both, row in rows.items() if "RankSVM ℓ2" not in both])
    assert_says(picture.sentence(LINES), "Two methods", f"{100 * shared:.0f} %", "chance")


def test_variants_of_a_method_share_its_colour_and_strangers_are_grey() -> None:
    styles = line_styles(["rwfs-l0", "rwfs-l0:share=0.3", "nobody"])
    assert styles["rwfs-l0"].colour == styles["rwfs-l0:share=0.3"].colour
    assert styles["rwfs-l0:share=0.3"].marker == f"{styles['rwfs-l0'].marker}-open"
    assert styles["nobody"] == REFERENCE_STYLE
    grey = line_styles(["lambdamart"])["lambdamart"].colour
    assert len({int(grey[k : k + 2], 16) // 32 for k in (1, 3, 5)}) == 1
    strange = [*LINES, line("lambdamart", LINES[0].results)]
    titles = choice_titles(one.choice for one in strange)
    made = run_of(*strange)
    for figure in (protocol_tradeoff_figure(strange, "MAP", titles), pictures.protocol_time(made).figure):
        assert marks(figure)["lambdamart"].marker.color == grey
    kept = pictures.protocol_features(made).drawing(RunFeatures(strange, NAMES, ()), Words(""))
    assert kept.data[3].marker.color == grey


def test_unfinished_lines_are_faint_and_decide_nothing() -> None:
    unfinished = line("log", {1: result(0.9, [1])}, n_folds=3)
    lines = [LINES[0], unfinished]
    figure = protocol_tradeoff_figure(lines, "MAP", TITLES)
    assert marks(figure)["log"].opacity < marks(figure)["l1"].opacity == 1.0
    assert any("RankSVM log, 1 of 3 folds" in (note.text or "") for note in figure.layout.annotations)
    said = protocol_tradeoff_sentence(lines, "MAP", TITLES)
    assert "log" not in said
    assert_says(said, "RankSVM ℓ1", "highest", "test MAP", "so far")
    assert "log" not in pictures.protocol_time(MADE).sentence(lines)
    assert [one.choice.label for one in protocol_front(lines, "MAP")] == ["l1"]


def test_pictures_of_a_notebook_say_what_bars_dots_and_lines_mean() -> None:
    for picture, words in (
        (pictures.protocol_tradeoff(MADE), ("on test", "validation MAP", "letor4", "bars", "fold", "Pareto", "dotted")),
        (pictures.protocol_tradeoff(MADE, bars="none"), ("deviation", "sparsity ratio")),
        (pictures.protocol_time(MADE), ("whole grid", "fastest to slowest", "dotted", "mean of the methods")),
        (pictures.protocol_spider(MADE), ("fold", "1 − sparsity ratio", "further out")),
        (pictures.protocol_agreement(MADE), ("MQ2008", "below the diagonal", "random")),
    ):
        assert_says(picture.words(picture.found).subtitle, *words)
    over_datasets = pictures.protocol_spider(run_of(*LINES, *(elsewhere(one, "B") for one in LINES)))
    said = [picture.words(picture.found).subtitle for picture in (pictures.protocol_spider(MADE), over_datasets)]
    assert ["Means over folds" in each for each in said] == [False, True]
    kept = pictures.protocol_features(MADE)
    found = kept.result({"single": {"MQ2008": {fold: [0.1 * j for j in range(10)] for fold in (1, 2, 3)}}})
    assert_says(kept.words(found).subtitle, "MQ2008", "larger a dot", "more folds", "bold", "5 that rank best alone")


def test_the_page_does_not_say_its_headline_twice() -> None:
    alone = ProtocolTradeoff(MADE)
    headed = ProtocolTradeoff(MADE, headline=alone.words(alone.found).alt)
    assert headed.words(headed.found).alt == alone.words(alone.found).alt in alone.words(alone.found).title
    assert headed.words(headed.found).alt not in headed.words(headed.found).title


def test_a_run_without_what_a_picture_shows_is_refused_at_the_call() -> None:
    with pytest.raises(ValueError, match="nothing of the run is finished"):
        pictures.protocol_tradeoff(Run(run(LINES)[0], {}, {}, None))
    with pytest.raises(ValueError, match=r"no dataset 'B'; it has MQ2008"):
        pictures.protocol_features(MADE, "B")
    apart = [line("l1", {1: result(0.5, [1])}, n_folds=2), line("log", {2: result(0.5, [1])}, n_folds=2)]
    for lines in (LINES[:1], apart):
        with pytest.raises(ValueError, match="no two methods"):
            pictures.protocol_agreement(run_of(*lines))
