"""The command that the page shows makes the same fit in a terminal, and the API says the same of the same model.

The export panel gives what the command line writes, on every page, and a way on where a scaling cannot leave.
"""

import hashlib
import io
import json
import shlex
import zipfile
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from core import fit, open_dataset
from core.cli import main
from core.export.models.formats import MODEL_FORMATS
from pages.shared import export, panels
from pages.shared.choice.choice import upload_label
from tests.app.conftest import Open
from tests.app.fitting import chosen, command, give, press, table_of
from tests.cases import sweep
from tests.program_pages import EXAMPLE
from tests.ranking_files import wpbc_like
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")

CLASSES = "".join(f"{k % 7},{(k * k) % 11},{(k % 3) + (k % 2)},{'ad'[k % 4 == 0]}\n" for k in range(80))
APART = "".join(f"{k % 3} qid:{k % 4} 1:{k % 7} 2:{k % 3 + k % 2}\n" for k in range(60))
FILES = {"classes.csv": CLASSES, "apart.txt": APART, "wpbc.csv": wpbc_like().decode()}


def printed_by(command: str) -> str:
    python, m, core, *words = shlex.split(command)
    assert (python, m, core) == ("python", "-m", "core")
    printed = io.StringIO()
    with redirect_stdout(printed):
        assert main(words) == 0
    return printed.getvalue()


def run(command: str) -> dict:
    return json.loads(printed_by(command))


@pytest.mark.parametrize(
    ("file", "query"),
    [
        ("", {"dataset": "planted", "fold": "Fold2", "ratio": "0.05", "method": "log", "log.epsilon": "0.123456789",
              "solver": "reweighted-l1"}),
        ("", {"dataset": "planted", "method": "l2", "scale": "Standard", "tol": "1e-08", "C": "0.0123456789012345"}),
        ("", {"dataset": "planted", "off": "1,7", "forced": "3", "cost": "2:5,9:0.25", "helps": "4", "hurts": "5"}),
        ("classes.csv", {"fold": "split 4"}),
        ("classes.csv", {"division": "one split", "class_scale": "As is"}),
        ("classes.csv", {"division": "whole file", "class_scale": "Min–max"}),
        ("", {"dataset": "digits", "positive": "7"}),
        ("", {"dataset": "toy", "fold": "draw 2"}),
        ("apart.txt", {"group": "true", "method": "mcp"}),
        ("wpbc.csv", {"missing": "drop", "drop_columns": "none,1,3"}),
    ],
)  # fmt: skip
def test_the_command_gives_the_objective_and_the_metrics_of_the_page(
    open_app: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, query: dict[str, str]
) -> None:
    content = FILES.get(file, "").encode()
    own = {"dataset": upload_label(file, hashlib.sha256(content).hexdigest())} if file else {}
    app = open_app(**query | own)
    if file:
        (tmp_path / file).write_bytes(content)
        monkeypatch.chdir(tmp_path)
        give(app, (file, content))
    choice = chosen(app)
    shown = choice.from_zero().finish()
    printed = run(panels.command(choice))
    whole = replace(choice.source.reading, scale="none").open(file, content).notes if file else ()
    assert printed.get("reading", []) == list(whole)
    assert printed["objective"] == pytest.approx(shown.result.objective, rel=1e-9)
    assert printed["C"] == pytest.approx(shown.c, rel=1e-12)
    assert printed["parameters"] == dict(shown.parameters)
    metrics = choice.judge.metrics(shown.weights)
    assert {part: values["MAP"] for part, values in printed["metrics"].items()} == pytest.approx(
        {part: values["MAP"] for part, values in metrics.items()}, abs=1e-9
    )


def test_the_tables_of_the_page_its_command_and_the_api_have_the_same_numbers(open_app: Open) -> None:
    asked = {"method": "mcp", "C": "0.05", "mcp.gamma": "3", "off": "3", "helps": "5"}
    app = open_app("fit", dataset="planted", fold="Fold2", **asked)
    told = run(command(app))
    fold = open_dataset("planted").fold(2)
    model = fit(fold, "mcp", C=0.05, parameters={"gamma": 3.0}, off=[3], helps=[5])
    weights = model.features["weight"]
    assert len(weights) > 1
    assert told["objective"] == pytest.approx(model.fit.result.objective, rel=1e-9)
    assert {row["name"]: row["weight"] for row in told["features"]} == pytest.approx(weights.to_dict(), rel=1e-9)
    shown = table_of(app, "weight").set_index("name")["weight"]
    assert shown.to_dict() == pytest.approx(weights.to_dict(), rel=1e-6)
    measured = table_of(app, "MAP")
    for part, values in model.judgement.metrics.items():
        for measure in ("MAP", "NDCG@1", "NDCG@10", "P@5", "MeanNDCG", "Top"):
            assert told["metrics"][part][measure] == pytest.approx(values[measure], abs=1e-12)
            assert measured.loc[part, measure] == pytest.approx(values[measure], abs=1e-12)


PLANTED = {"dataset": "planted", "method": "log", "ratio": "0.03"}


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """What the button of the panel would save, by the file's name; a test without a browser cannot press it."""
    held: dict[str, bytes] = {}
    real = export.st.download_button

    def button(label: str, data: Callable[[], bytes], file_name: str, *others: object, **options: object) -> bool:
        if str(options.get("key", "")).endswith("_download"):
            held[file_name] = data()
        return bool(real(label, data, file_name, *others, **options))  # type: ignore[arg-type]

    monkeypatch.setattr(export.st, "download_button", button)
    return held


@pytest.mark.parametrize("page", sweep(["queries", "start", "fit", "features", "tradeoff", "path"]))
def test_the_strip_of_every_page_opens_the_panel(open_app: Open, page: str) -> None:
    app = press(open_app(page, **PLANTED, lab_beside="nothing"), "export")
    assert app.selectbox(key="export_dialog_format").label == "Format"
    assert any("log on planted fold 1" in text.value for text in app.markdown)


def page() -> None:
    import streamlit as st

    from pages.shared.export import export_panel

    export_panel(st.session_state["choice"], st.session_state["fitted"], key="export_dialog")


@pytest.fixture
def panel(open_app: Open) -> AppTest:
    """The panel alone, of a model that is fitted."""
    choice = chosen(open_app(**PLANTED))
    app = AppTest.from_function(page, default_timeout=300)
    app.session_state["choice"], app.session_state["fitted"] = choice, choice.from_zero().finish()
    return app


def test_the_panel_gives_what_the_command_line_writes(panel: AppTest, saved: dict[str, bytes], tmp_path: Path) -> None:
    result = tmp_path / "result.json"
    result.write_text(printed_by(panels.command(panel.session_state["choice"])), encoding="utf-8")
    for known in MODEL_FORMATS:
        saved.clear()
        panel.session_state["export_dialog_format"] = known.id
        panel.run()
        out = tmp_path / known.id / f"planted_log.{known.extension}"
        out.parent.mkdir()
        printed_by(
            f"python -m core export {shlex.quote(str(result))} --format {known.id} --out {shlex.quote(str(out))}"
        )
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
    app = press(open_app(EXAMPLE, **PLANTED, scale="Min–max within each query"), "export")
    assert_says(app.error[0].value, "within each query", "score depends on", "other documents", "query")
    press(app, "export_dialog_minmax")
    assert app.session_state["choice"].source.reading.scale == "minmax"
    assert not press(app, "export").error
