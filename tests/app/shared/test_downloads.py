"""The fit that a person downloads from the app is one that the command ``export`` takes."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

import core
from core.analysis.fit_records import fit_record
from core.data import Reading
from core.export.models.linear_model import model_of_record
from pages.shared import panels


def test_a_downloaded_fit_can_be_exported(monkeypatch: pytest.MonkeyPatch) -> None:
    fold = Reading(scale="standard").open("planted").fold(2)
    model = core.fit(fold, "log", lambda_ratio=0.05)
    choice: Any = SimpleNamespace(
        source=SimpleNamespace(name="planted · 5 folds"),
        fold=fold,
        fold_number=2,
        method_id="log",
        rules_for=lambda _: None,
    )
    shown = MagicMock()
    monkeypatch.setattr(panels, "st", shown)
    monkeypatch.setattr(panels, "command", lambda _: "python -m core fit")

    panels.downloads(fit_record(model.fit, model.judgement, "standard"), model.fit, choice)

    make = next(call.args[1] for call in shown.download_button.call_args_list if call.args[0] == "Fit (JSON)")
    exported = model_of_record(json.loads(make()))
    assert exported.description.startswith("log on planted fold 2, C = ")
    assert [f.index for f in exported.features] == sorted(model.features["index"])
    assert exported.scaling == "standard"
