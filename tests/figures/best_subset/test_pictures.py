"""The pictures of the best possible sets, alike in a notebook and on the page.

The pictures of the best possible sets draw what is known: nothing beneath the line, hollow what is not proven.
"""

import numpy as np
import plotly.graph_objects as go
import pytest

from core.analysis.best_subset.refitted_sets import RefittedSet
from core.analysis.best_subset.yardstick import CertifiedSubset, excesses
from core.api import pictures
from core.figures.best_subset.alternatives_picture import percent
from core.figures.best_subset.objective_picture import LINE, TITLES, ObjectivesFound, View
from core.figures.picture import Words
from tests.figures.samples.sample import fold, named, path
from tests.says import assert_says


def test_near_optimal_sets_say_their_range_and_what_they_have_in_common() -> None:
    picture = pictures.near_optimal_sets(fold(), ridge=0.5, k=2, within=0.05)
    table, words = picture.table, picture.words(picture.found)
    values = table["NDCG@10 test"]
    assert len(table) > 1
    assert_says(words.title, f"{values[0]:.4f}", f"{values.min():.4f}", f"{values.max():.4f}")
    assert_says(words.subtitle, "Fold1", "2 features", "5 %", "test")
    alone = pictures.near_optimal_sets(fold(), ridge=0.5, k=2, within=0.0)
    assert_says(alone.words(alone.found).title, f"{values[0]:.4f}", "no other")
    low, high = alone.figure.layout.yaxis.autorangeoptions.include
    assert low < values[0] < high < low + 0.1
    for share, some in ((0.05, False), (0.015, True)):  # half the sets have a feature that is not in all
        shares = pictures.near_optimal_sets(fold(), ridge=0.5, k=2, within=share, view="shares")
        common = set.intersection(*(set(names.split(", ")) for names in shares.table["names"]))
        assert bool(common) is some
        assert {fold().train.feature_names[j] for j in shares.found.in_every} == common
        title = shares.words(shares.found).title
        assert all(name in title for name in common)
        assert ("No feature" in title) is not some
        (bars,) = (one for one in shares.figure.data if one.type == "bar")
        assert {row[0] for row, share in zip(bars.customdata, bars.x, strict=True) if share == 1.0} == common


def test_the_best_subsets_explain_band_and_faint_marks() -> None:
    picture = pictures.best_subsets(fold(), ridge=0.5, most=1)
    assert_says(picture.words(picture.found).subtitle, "Fold1", "band: not yet excluded", "every set")
    far = pictures.best_subsets(fold(), ridge=0.5, most=1, view="how far")
    assert "features in common" in far.words(far.found).title


def weights(*columns: int) -> np.ndarray:
    w = np.zeros(4)
    w[list(columns)] = 1.0
    return w


ROWS = [
    CertifiedSubset(1, weights(0), 0.8, 0.8, 0.1),
    CertifiedSubset(2, weights(0, 1), 0.6, 0.6, 0.1),
    CertifiedSubset(3, weights(0, 1, 2), 0.5, 0.45, 0.1),
]
SETS = {
    "l1": [RefittedSet("l1", (1,), 0.9, weights(1), 2.0), RefittedSet("l1", (1, 2), 0.66, weights(1, 2), 3.0)],
    "rfe": [RefittedSet("rfe", (0,), 0.8, weights(0), np.nan)],
}
COMPARED = excesses(ROWS, SETS)


def drawn(view: View) -> go.Figure:
    picture = pictures.best_subsets(path("l1").fold, ridge=0.5, paths=[path("l1")], view=view)
    return picture.drawing(ObjectivesFound(ROWS, SETS, COMPARED), Words("t"))


def test_the_line_its_band_and_the_methods_stand_where_they_are() -> None:
    figure = drawn(LINE)
    line, bound = named(figure, TITLES["best-subset"]), named(figure, "lower bound")
    assert (list(line.x[:3]), list(line.y[:3])) == ([1, 2, 3], [0.8, 0.6, 0.5])
    assert list(bound.y[:3]) == [0.8, 0.6, 0.45]
    assert [symbol.endswith("-open") for symbol in line.marker.symbol[:3]] == [False, False, True]
    l1 = named(figure, TITLES["l1"])
    assert list(l1.y[:3]) == [0.9, 0.66, 0.66]
    assert l1.customdata[1][:2] == ["l1", 3.0]
    low, high = figure.layout.yaxis.range
    assert low < 0.45
    assert high > 0.8, "all of the line is seen, whatever the worst method does"
    assert "<br>".join(path("l1").fold.train.feature_names[1:3]) in l1.hovertext[1]


def test_a_cell_has_the_excess_in_per_cent_and_the_features_in_common() -> None:
    heat = drawn("how far").data[0]
    assert list(heat.y) == [TITLES["l1"], TITLES["rfe"]]
    assert list(heat.text[0]) == ["12<br>0/1", "10<br>1/2", "32<br>2/3"]
    assert heat.text[1][0] == "0<br>1/1"


@pytest.mark.parametrize(("share", "words"), [(0.0, "0"), (9e-6, "0"), (4e-4, "0.04"), (0.0123, "1.2"), (0.1, "10")])
def test_shares_are_written_with_two_digits(share: float, words: str) -> None:
    assert percent(share) == words
