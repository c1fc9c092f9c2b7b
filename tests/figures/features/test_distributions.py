"""Pictures of labels and of a feature's values draw shares of the documents that they name."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.dataset.distribution import feature_distribution
from core.data import RankingData
from core.figures.features.distributions import cumulative_figure, histogram_figure, label_figure, level_colours

VALUES = np.array([0.0, 0.0, 0.5, 1.0, 0.5, 1.0])
DATA = RankingData.build(VALUES[:, None], [0, 0, 0, 0, 2, 2], [0, 6], feature_names=["BM25"])


def test_bars_are_shares_of_all_documents_and_say_how_many():
    (bars,) = label_figure([(0, 1500), (1, 400), (4, 100)]).data
    assert list(bars.x) == [75.0, 20.0, 5.0]
    assert list(bars.y) == ["0", "1", "4"]
    assert list(bars.text) == ["1,500", "400", "100"]


def test_a_cumulative_curve_rises_from_the_lowest_to_the_highest_value():
    low, high = cumulative_figure(feature_distribution(DATA, 0)).data
    assert (low.name, high.name) == ("relevance 0 (4)", "relevance 2 (2)")
    assert list(low.x) == [0.0, 0.0, 0.5, 1.0]
    assert list(high.x) == [0.5, 1.0]
    assert (low.y[0], low.y[-1]) == (0.0, 100.0)


def test_the_outline_of_a_histogram_encloses_all_documents_of_its_level():
    figure = histogram_figure(feature_distribution(DATA, 0, n_bins=4))
    for line in figure.data:
        # Up, along, down: every bin is drawn by two points of the same height between the zeros at the ends.
        assert sum(line.y[1:-1:2]) == pytest.approx(100.0)
        assert (line.y[0], line.y[-1]) == (0.0, 0.0)
    assert list(figure.data[0].x[::2]) == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert list(figure.data[0].y[1:-1:2]) == [50.0, 0.0, 25.0, 25.0]


def test_levels_differ_in_colour_and_dash():
    figure = cumulative_figure(feature_distribution(DATA, 0))
    assert len({(line.line.color, line.line.dash) for line in figure.data}) == 2
    assert len(set(level_colours(5))) == 5
