"""The heat map of similarity: every cell is the similarity of the two features that its row and column name."""

from __future__ import annotations

import json

import numpy as np
import pytest

from core.analysis.features.similarity import Similarity, pearson
from core.data import RankingData
from core.figures.features.similarity import similarity_figure


def features(n: int) -> Similarity:
    rng = np.random.default_rng(1)
    return pearson(RankingData.build(rng.normal(size=(60, n)) + rng.normal(size=(60, 1)), np.arange(60) % 2, [0, 60]))


def test_cells_are_named_by_the_features_they_compare():
    found = features(9)
    names = [f"f{j}" for j in range(8)] + ["f0"]  # a name that comes twice
    (heat,) = similarity_figure(found, names).data
    assert list(heat.x) == list(heat.y)
    assert sorted(heat.x) == sorted(f"{j + 1} {name}" for j, name in enumerate(names))
    numbers = [int(label.split()[0]) - 1 for label in heat.y]
    assert heat.z == pytest.approx(found.values[np.ix_(numbers, numbers)], abs=1e-6)


def test_colours_are_as_strong_for_minus_one_as_for_one():
    (heat,) = similarity_figure(features(3), "abc").data
    assert (heat.zmin, heat.zmax) == (-1.0, 1.0)
    opacities = [(stop, float(colour.rstrip(")").split(",")[-1])) for stop, colour in heat.colorscale]
    assert opacities == [(0.0, 1.0), (0.5, 0.0), (0.5, 0.0), (1.0, 1.0)]


def test_seven_hundred_features_make_a_picture_of_bounded_size():
    figure = similarity_figure(features(700), [f"f{j}" for j in range(700)])
    assert figure.layout.height < 1000
    assert not figure.layout.yaxis.showticklabels
    assert len(json.dumps(figure.to_plotly_json(), default=lambda array: array.tobytes().hex())) < 8_000_000


def test_a_picture_for_a_window_names_every_second_of_many_features() -> None:
    values = np.eye(54)
    names = [f"f{j}" for j in range(54)]
    small, whole = (
        similarity_figure(Similarity("pearson", values, 10), names, every_name=every) for every in (False, True)
    )
    assert len(whole.layout.yaxis.ticktext) == 54
    assert list(small.layout.yaxis.ticktext) == list(whole.layout.yaxis.ticktext)[::2]
    assert small.layout.height < whole.layout.height
    assert small.data[0].z.shape == (54, 54)
