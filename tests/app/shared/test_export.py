"""The export panel gives what the command line writes, on every page, and a way on where a scaling cannot leave."""

from __future__ import annotations

import io
import json
import shlex
import zipfile
from contextlib import redirect_stdout
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from core.cli import main
from core.export.models.formats import MODEL_FORMATS
from pages.shared import export, panels
from tests.app.conftest import Open
from tests.app.fitting import chosen, press
from tests.cases import sweep
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded")

PLANTED = {"dataset": "planted", "method": "log", "ratio": "0.03"}
WITHIN = {**PLANTED, "scale": "Min–max within each query"}


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """What the button of the panel would save, by the file's name; a test without a browser cannot press it."""
    held: dict[str, bytes] = {}
    real = export.st.download_button

    def button(label: str, data: object, file_name: str, *others: object, **options: object) -> bool:
        if str(options.get("key", "")).endswith("_download"):
            held[file_name] = data  # type: ignore[assignment]
        return bool(real(label, data, file_name, *others, **options))  # type: ignore[arg-type]

    monkeypatch.setattr(export.st, "download_button", button)
    return held


def opened(app: AppTest) -> AppTest:
    """Open the panel from the strip."""
    press(app, "export")
    return app


@pytest.mark.parametrize("page", sweep(["queries", "start", "fit", "features", "tradeoff", "path"]))
def test_the_strip_of_every_page_opens_the_panel(open_app: Open, page: str) -> None:
    app = opened(open_app(page, **PLANTED, lab_beside="nothing"))
    assert app.selectbox(key="export_dialog_format").label == "Format"
    assert any("log on planted fold 1" in text.value for text in app.markdown)


def page() -> None:
    import streamlit as st

    from pages.shared.export import export_panel

    export_panel(st.session_state["choice"], st.session_state["fitted"], key="export_dialog")


@pytest.fixture
def panel(open_app: Open) -> AppTest:
    """The panel alone, of a model that is fitted."""
    choice = chosen(open_app("numbers", **PLANTED))
    app = AppTest.from_function(page, default_timeout=300)
    app.session_state["choice"], app.session_state["fitted"] = choice, choice.from_zero().finish()
    return app


def test_the_panel_gives_what_the_command_line_writes(panel: AppTest, saved: dict[str, bytes], tmp_path: Path) -> None:
    printed = io.StringIO()
    with redirect_stdout(printed):
        assert main(shlex.split(panels.command(panel.session_state["choice"]))[3:]) == 0
    result = tmp_path / "result.json"
    result.write_text(printed.getvalue(), encoding="utf-8")
    for known in MODEL_FORMATS:
        saved.clear()
        panel.session_state["export_dialog_format"] = known.id
        panel.run()
        out = tmp_path / known.id / f"planted_log.{known.extension}"
        out.parent.mkdir()
        with redirect_stdout(io.StringIO()):
            assert main(["export", str(result), "--format", known.id, "--out", str(out)]) == 0
        ours = saved[out.name]
        if known.id in ("solr", "ranklib", "svmrank", "python", "elasticsearch", "opensearch"):
            assert ours == out.read_bytes(), known.id
        else:  # seconds of the fit, and the time of an archive, are never the same
            assert abs(len(ours) - len(out.read_bytes())) < 400, known.id


def give_set(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    file = SimpleNamespace(name="set.json", size=9, getvalue=lambda: content)
    monkeypatch.setattr(export.st, "file_uploader", lambda *a, **o: file)


def test_a_feature_set_is_pruned_and_what_is_saved_or_broken_is_said(
    panel: AppTest, saved: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = panel.session_state["choice"].fold.train.feature_names
    features = [{"name": name, "params": [], "template": {"match_all": {}}} for name in names]
    whole = json.dumps({"featureset": {"features": features}}).encode()
    give_set(monkeypatch, whole)
    panel.session_state["export_dialog_format"] = "elasticsearch"
    panel.run()
    with zipfile.ZipFile(io.BytesIO(saved["planted_log.zip"])) as archive:
        assert archive.namelist() == ["planted_log.json", "planted_log.featureset.json"]
        kept = json.loads(archive.read("planted_log.featureset.json"))["featureset"]["features"]
    said = " ".join(success.value for success in panel.success)
    assert_says(said, f"{len(features) - len(kept)} of {len(features)} feature queries", "saved")
    give_set(monkeypatch, b"{")
    (told,) = (error.value for error in panel.run().error)
    assert_says(told.lower(), "set.json", "not valid json")


def test_a_scaling_within_queries_is_refused_and_the_others_are_a_click_away(open_app: Open) -> None:
    app = opened(open_app("queries", **WITHIN))
    assert_says(app.error[0].value, "within each query", "score depends on", "other documents", "query")
    press(app, "export_dialog_minmax")
    assert app.session_state["choice"].source.reading.scale == "minmax"
    assert not opened(app).error
