"""What follows from the declaration of a picture, for every picture that is declared."""

from __future__ import annotations

import inspect
import json
import re
import runpy
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pytest

import core
from core.api import pictures
from core.export.scripts.picture import picture_script
from core.figures.picture import Picture
from tests.figures.samples.every import SAMPLES
from tests.figures.samples.sample import Sample

DECLARED = {name: found for name in pictures.__all__ if inspect.isclass(found := getattr(pictures, name))}
DECLARED = {name: found for name, found in DECLARED.items() if issubclass(found, Picture)}
each = pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(autouse=True)
def own_store(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARSE_RANK_HOME", str(home))


def test_every_declared_picture_has_a_sample() -> None:
    assert set(SAMPLES) == set(DECLARED)
    assert all(found.name == name for name, found in DECLARED.items())


@each
def test_a_picture_has_words_a_table_and_a_figure_without_gaps(sample: Sample) -> None:
    picture = sample.picture()
    words = picture.words(picture.found)
    assert words.title
    assert words.alt
    assert picture.figure.data
    assert len(picture.table)
    assert callable(picture.show), "no option hides what a picture can do"
    assert callable(picture.save)
    json.loads(picture.figure.to_json(), parse_constant=pytest.fail)  # no NaN
    go.Figure(picture.figure.to_dict())  # some are built without plotly's checks, for speed: here they are made


@each
def test_the_docstring_names_every_argument_and_no_other(sample: Sample) -> None:
    picture = type(sample.picture())
    said = inspect.getdoc(picture) or ""
    section = said.split("Parameters\n----------\n")[1].split("\n\n")[0]
    named = {name for line in re.findall(r"^(\w[\w, ]*) :", section, re.MULTILINE) for name in line.split(", ")}
    assert named == {*picture.shown_things(), *picture.options()}


@each
def test_the_key_of_the_numbers_tells_every_change_of_the_numbers_and_looks_change_none(sample: Sample) -> None:
    picture = sample.picture()
    for name, value in sample.others.items():
        other = replace(picture, **{name: value})
        looks = name in picture.options() and picture.options()[name].looks
        assert (other.numbers_key == picture.numbers_key) is bool(looks), name
        if looks:
            columns = sorted(name for name in picture.table.columns if "seconds" not in name)
            same = (one.table[columns].sort_values(columns, ignore_index=True) for one in (picture, other))
            pd.testing.assert_frame_equal(*same)
    changed = {one.name for one in fields(picture) if one.name in (*picture.shown_things(), *picture.options())}  # type: ignore[arg-type]
    assert changed == set(sample.others), "the sample has another value for every field"


@each
def test_a_choice_that_does_not_exist_is_refused_at_the_call(sample: Sample) -> None:
    picture = sample.picture()
    for name, declared in picture.options().items():
        if declared.titles:
            with pytest.raises(ValueError, match=name):
                replace(picture, **{name: "no such"})


@pytest.mark.more
@each
def test_the_script_computes_the_table_again(
    sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = sample.picture()
    script = tmp_path / "script.py"
    fold = core.open_dataset("planted").fold(1)
    script.write_text(picture_script(picture, sample.data, fold, sample.described), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    there: dict[str, Any] = runpy.run_path(str(script))
    capsys.readouterr()
    timed = [name for name in picture.table.columns if "seconds" in name]
    pd.testing.assert_frame_equal(there["picture"].table.drop(columns=timed), picture.table.drop(columns=timed))
    if not sample.timed:
        assert there["picture"].words(there["picture"].found).title == picture.words(picture.found).title
    assert (tmp_path / f"{picture.chart_key}.csv").exists()
