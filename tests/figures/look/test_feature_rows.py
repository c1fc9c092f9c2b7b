"""Pictures with a row a feature draw the numbers they are given, each in its own row."""

from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np
import plotly.graph_objects as go

from core.analysis.features.random_ranking import Band
from core.analysis.features.single_feature import SingleFeatureScore
from core.analysis.features.stability import Stability
from core.analysis.features.what_if import FeatureChange
from core.analysis.path_views import Entry
from core.api import pictures
from core.figures.features.first_entry import EntryOrder
from core.figures.features.kept_features import FeaturesPicture
from core.figures.features.selection import Column, shown_features, signed
from core.figures.features.stability_picture import Counted
from core.figures.look.labels import heading_height, row_labels, row_layout
from core.figures.look.style import method_style
from core.figures.picture import Words
from tests.figures.samples.sample import fold, model, named, path
from tests.says import assert_says

NAMES = ["length", "BM25", "TF", "IDF"]
SCORES = [
    SingleFeatureScore(j + 1, name, ndcg, 0.0, upside_down, 0.0, ndcg, 0.0)
    for j, (name, ndcg, upside_down) in enumerate(zip(NAMES, [0.2, 0.6, 0.4, 0.5], [0.5, 0.1, 0.3, 0.2], strict=True))
]
BAND = Band(expected=0.3, low=0.25, high=0.35)
LOG = Column("log", "log", np.array([-0.5, 2.0, 0.0, 0.0]), 0.71)
L1 = Column("l1", "ℓ1", np.array([0.0, 1.0, 0.1, 0.0]), 0.72)
ROWS = [1, 3, 2, 0]


def picture() -> FeaturesPicture:
    return FeaturesPicture([model("l1")], part="test", measure="NDCG@10", drawn=ROWS)


def alone(*columns: Column) -> go.Figure:
    found = SimpleNamespace(columns=columns, scores=SCORES, order=SimpleNamespace(of=lambda _: BAND))
    return picture().drawing(found, Words(""))


def matrix(*columns: Column) -> go.Figure:
    return picture().weights_figure(SimpleNamespace(columns=columns, scores=SCORES), (-0.5, 2.0))


def rows_of(figure: go.Figure, name: str) -> list[str]:
    """The labels of the rows in which a trace has marks."""
    labels = dict(zip(figure.layout.yaxis.tickvals, figure.layout.yaxis.ticktext, strict=True))
    return [labels[round(y)].strip() for y in named(figure, name).y]


def lines_at(figure: go.Figure) -> list[float]:
    return [shape.x0 for shape in figure.layout.shapes if shape.type == "line"]


def test_the_features_shown_are_the_best_alone_and_those_that_weigh_most_best_first() -> None:
    assert shown_features([LOG, L1], SCORES, "NDCG@10", 4) == ROWS
    assert shown_features([LOG], SCORES, "NDCG@10", 3) == [1, 3, 2]


def test_a_feature_that_ranks_as_another_one_has_no_row_unless_it_is_kept() -> None:
    scores = [
        SingleFeatureScore(j + 1, f"f{j}", value, 0.0, 0.0, 0.0, 0.0, 0.0)
        for j, value in enumerate([0.9, 0.9, 0.8, 0.7, 0.6, 0.5])
    ]
    empty, kept = (Column("l1", "ℓ1", weights, 0.5) for weights in (np.zeros(6), np.eye(6)[1]))
    assert shown_features([empty], scores, "NDCG@10", 4) == [0, 2, 3, 4]
    assert shown_features([kept], scores, "NDCG@10", 4) == [0, 1, 2, 3]


def test_dots_say_who_keeps_the_feature_and_what_it_is_worth_upside_down_beside_chance_and_every_model() -> None:
    figure = alone(LOG, L1)
    assert rows_of(figure, "kept by log") == ["BM25", "length"]
    assert list(named(figure, "kept by log").x) == [0.6, 0.2]
    assert named(figure, "kept by log").marker.color == method_style("log").colour
    assert rows_of(figure, "kept by another method") == ["TF"]
    assert rows_of(figure, "kept by none") == ["IDF"]
    assert (rows_of(figure, "upside down"), list(named(figure, "upside down").x)) == (["length"], [0.5])
    assert [(shape.x0, shape.x1) for shape in figure.layout.shapes if shape.type == "rect"] == [(0.25, 0.35)]
    assert lines_at(figure) == [0.71, 0.72]
    for note, told in zip(figure.layout.annotations, (("log", "2", "0.7100"), ("ℓ1", "2", "0.7200")), strict=True):
        assert_says(note.text, *told)
        assert figure.layout.yaxis.range[1] < note.y < 0, "over no dot"


def test_the_matrix_has_bars_for_every_method_each_on_its_own_axis() -> None:
    turned = Column("l1", "ℓ1", np.array([0.0, 1.0, -0.1, 0.0]), 0.72)
    figure = matrix(LOG, turned)
    bars, others = named(figure, "weights of log"), named(figure, "weights of ℓ1")
    assert rows_of(figure, "weights of log") == ["BM25", "length"]
    assert (list(bars.x), [text.strip() for text in bars.text]) == ([2.0, -0.5], ["+2.00", "−0.50"])
    assert figure.layout.xaxis.range[0] < -0.5
    assert figure.layout.xaxis.range[1] > 2.0
    assert rows_of(figure, "weights of ℓ1") == ["BM25", "TF"]
    assert (list(others.x), others.xaxis, others.type) == ([1.0, -0.1], "x2", bars.type)
    assert [text.strip() for text in others.text] == ["+1.00", "−0.10"]
    assert figure.layout.xaxis.domain[1] < figure.layout.xaxis2.domain[0]
    heads = [*figure.layout.xaxis.ticktext, *figure.layout.xaxis2.ticktext]
    assert heads == ["<b>log</b><br>2 kept", "<b>ℓ1</b><br>2 kept"]


def test_features_that_matter_at_another_c_have_a_row_before_the_best_others() -> None:
    scores = [SingleFeatureScore(j + 1, f"f{j}", 1.0 - j / 100, 0.0, 0.0, 0.0, 0.0, 0.0) for j in range(30)]
    kept = Column("l1", "ℓ1", np.eye(30)[20], 0.5)
    assert shown_features([kept], scores, "NDCG@10", 13, important=[25, 4, 28]) == [*range(10), 20, 25, 28]


def test_an_empty_model_has_an_empty_column() -> None:
    empty = Column("log", "log", np.zeros(4), 0.3)
    assert len(named(matrix(empty), "weights of log").x) == 0
    assert len(named(alone(empty), "kept by log").x) == 0


def test_weights_are_written_with_their_sign_and_never_as_zero() -> None:
    assert [signed(w) for w in (1.234, -0.5, 0.004)] == ["+1.23", "−0.50", "+0.004"]


def test_entries_stand_at_their_lambda_in_the_order_of_the_first_method() -> None:
    entries: dict[str, Sequence[Entry]] = {
        "log": [Entry(2, 0.9, 1, False), Entry(0, 0.1, 2, True)],
        "l1": [Entry(1, 1.0, 1, False), Entry(2, 0.5, 2, False)],
    }
    figure = EntryOrder([path("log"), path("l1")], chosen=0.02).drawing(entries, Words(""))
    third, first, second = (label.strip() for label in row_labels(fold().train.feature_names, [2, 0, 1]))
    assert [label.strip() for label in figure.layout.yaxis.ticktext] == [third, first, second]
    assert (rows_of(figure, "log"), list(named(figure, "log").x)) == ([third, first], [0.9, 0.1])
    assert (rows_of(figure, "ℓ1"), list(named(figure, "ℓ1").x)) == ([second, third], [1.0, 0.5])
    assert [symbol.endswith("-open") for symbol in named(figure, "log").marker.symbol] == [False, True]
    assert lines_at(figure) == [0.02]


def test_bars_of_stable_features_are_filled_and_the_others_are_not() -> None:
    samples = Stability(np.array([[0.3, 0.9, 0.0, 0.8]]), 2.0, 50)
    folds = Stability(np.array([[0.2, 1.0, 0.2, 0.6]]), 2.0, 5)
    fit = SimpleNamespace(feature_names=NAMES, method="log", selected=np.array([1]))
    figure = pictures.stability(fold(), "log").drawing(Counted(fit, samples, folds), Words(""))
    bars = named(figure, "50 resamples")
    assert [label.strip() for label in figure.layout.yaxis.ticktext] == ["<b>BM25 </b>", "IDF", "length", "TF"]
    assert list(bars.x) == [0.9, 0.8, 0.3, 0.0]
    filled = [colour.startswith("#") for colour in bars.marker.color]
    assert filled == [True, True, False, False]
    np.testing.assert_allclose(bars.error_x.array[0], np.sqrt(0.9 * 0.1 / 50))
    assert list(named(figure, "5 folds").x) == [1.0, 0.6, 0.2, 0.2]
    assert lines_at(figure) == [0.8]


def test_before_and_after_stand_in_the_same_row_and_who_moves_is_marked() -> None:
    changes = [
        FeatureChange(1, "BM25", 1.0, 0.0),
        FeatureChange(2, "TF", 0.0, -0.4),
        FeatureChange(0, "length", 0.1, 0.2),
    ]
    figure = pictures.what_if(model("log"), model("log")).drawing(changes, Words(""))
    assert list(named(figure, "before").x) == [1.0, 0.0, 0.1]
    assert list(named(figure, "after").x) == [0.0, -0.4, 0.2]
    assert list(named(figure, "before").y) == list(named(figure, "after").y)
    assert list(figure.layout.yaxis.ticktext) == ["<b>− BM25 </b>", "<b>+ TF </b>", "length "]


def test_a_long_heading_wraps_and_gets_the_room_it_needs() -> None:
    long = "word " * 30
    figure = row_layout(go.Figure(), ["a ", "b "], Words(long, long))
    assert max(len(line) for line in figure.layout.title.text.replace("</sup>", "").split("<br>")) < 110
    assert figure.layout.margin.t == heading_height(Words(long, long)) > heading_height(Words("word", "word"))
    bottom, top = figure.layout.yaxis.range
    assert bottom > top, "the first row is on top"
