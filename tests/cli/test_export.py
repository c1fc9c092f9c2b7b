"""``export``: from a result of ``fit --json`` to a file of another program.

The command ``site``: what it says before it writes, what it writes, and what it refuses.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core import open_dataset, save_site
from core.export import files
from tests.cli.conftest import Ask, Command
from tests.says import assert_says

FIT = ("--method", "l1", "--lambda-ratio", "0.1")


@pytest.fixture
def result(letor_file: Path, tmp_path: Path, run: Command) -> Path:
    path = tmp_path / "result.json"
    path.write_text(run("fit", letor_file, *FIT, "--scale", "standard", "--json").out)
    return path


def feature_set(names: list[str]) -> str:
    features = [{"name": name, "template": {"match": {"f": "{{q}}"}}} for name in names]
    return json.dumps({"featureset": {"features": features}})


def test_every_format_of_the_contract_is_written_where_it_was_asked_for(result: Path, tmp_path: Path, ask: Ask) -> None:
    names = ("solr", "elasticsearch", "opensearch", "ranklib", "svmrank", "json", "python", "sklearn", "html")
    for name in names:
        out = tmp_path / "new" / name
        record = ask("export", result, "--format", name, "--out", out)
        assert (record["files"], record["format"], bool(record["features"])) == ([str(out)], name, True)
        assert out.stat().st_size > 0


def test_a_feature_set_is_pruned_beside_the_model_and_the_report_says_what_is_saved(
    result: Path, tmp_path: Path, ask: Ask, run: Command
) -> None:
    names = json.loads(result.read_text())["feature_names"]
    kept = {feature["name"] for feature in json.loads(result.read_text())["features"]}
    (tmp_path / "set.json").write_text(feature_set(names))
    words = ("export", result, "--format", "elasticsearch", "--feature-set", tmp_path / "set.json")
    record = ask(*words, "--out", tmp_path / "m.json", "--name", "mine")
    pruned = json.loads((tmp_path / "m.featureset.json").read_text())["featureset"]["features"]
    assert {feature["name"] for feature in pruned} == kept
    assert record["feature_set"]["saved"] == len(names) - len(kept) > 0
    assert json.loads((tmp_path / "m.json").read_text())["model"]["name"] == record["name"] == "mine"
    said = run(*words, "--out", tmp_path / "m.json").out
    assert_says(said, f"{len(names) - len(kept)} feature queries", "saved")


def test_the_text_says_what_differs_and_what_to_do_next(result: Path, tmp_path: Path, run: Command) -> None:
    answer = run("export", result, "--format", "ranklib", "--out", tmp_path / "m.txt")
    assert answer.status == 0
    assert_says(answer.out, "scaling", "into the weights")
    assert "java -jar RankLib.jar -load m.txt" in answer.out


def test_what_cannot_be_exported_is_refused_in_one_line(
    result: Path, letor_file: Path, tmp_path: Path, run: Command, refused: Callable[..., str]
) -> None:
    out = ("--out", tmp_path / "m")
    empty = tmp_path / "empty.json"
    empty.write_text(run("fit", letor_file, "--lambda-ratio", "2", "--json").out)
    assert "keeps no feature" in refused("export", empty, "--format", "solr", *out)
    assert "not valid JSON" in refused("export", letor_file, "--format", "solr", *out)
    assert "no such file" in refused("export", tmp_path / "absent", "--format", "solr", *out)
    assert "invalid choice: 'pmml'" in refused("export", result, "--format", "pmml", *out)
    assert "required: --out" in refused("export", result, "--format", "solr")
    (tmp_path / "set.json").write_text(feature_set(["another"]))
    given = ("--feature-set", tmp_path / "set.json")
    lacking = refused("export", result, "--format", "opensearch", *given, *out)
    assert "set has no feature" in lacking
    assert "--help" not in lacking, "the words are right, the file is not"
    assert "solr has none" in refused("export", result, "--format", "solr", *given, *out)
    assert "cannot write" in refused("export", result, "--format", "json", "--out", result / "m")
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize("words", ["export", "import", "evaluate"])
def test_no_command_writes_over_what_it_reads(
    words: str, result: Path, letor_file: Path, refused: Callable[..., str]
) -> None:
    commands = {
        "export": ("export", result, "--format", "json", "--out", result),
        "import": ("import", letor_file, "--out", letor_file),
        "evaluate": ("evaluate", letor_file, result, "--trec-qrels", letor_file),
    }
    before = [path.read_bytes() for path in (result, letor_file)]
    assert_says(refused(*commands[words]), str(result if words == "export" else letor_file), "input", "another")
    assert [path.read_bytes() for path in (result, letor_file)] == before


def test_it_says_what_the_site_shows_and_writes_the_index_last(
    tmp_path: Path, run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, order = tmp_path / "a" / "site", list[str]()
    write = files.write_files
    monkeypatch.setattr(files, "write_files", lambda out, named: [order.extend(named), write(out, named)])
    told = run("site", "planted", "--folds", 2, "--methods", "l1,log", "--lessons", "none", "--out", out, "--json")
    record = json.loads(told.out)
    assert out / order[-1] == out / "index.html" == Path(record["site"])
    assert "the names of its 60 features" in told.err
    assert record["shown"] == told.err.splitlines()
    written = [path for path in out.rglob("*") if path.is_file()]
    assert record["files"] == len(written) == 6
    assert record["bytes"] == sum(path.stat().st_size for path in written)
    same = save_site([open_dataset("planted")], tmp_path / "same", folds=[2], methods=["l1", "log"])
    assert {path.relative_to(out) for path in written} == {
        path.relative_to(same.parent) for path in same.parent.rglob("*") if path.is_file()
    }


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--methods", "l1,nothing"], "nothing"),
        (["--folds", "1,9"], "there is no fold 9"),
        (["--folds", "1,x"], "whole number"),
        (["--lessons", "zeros,nothing"], "there is no lesson 'nothing'"),
        (["--folds", "1", "--methods", "l1", "--lessons", "none"], "cannot write"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(
    tmp_path: Path, run: Command, words: list[str], sentence: str
) -> None:
    """The last one for a file in the place of the folder."""
    (tmp_path / "site").write_text("mine")
    answer = run("site", "planted", *words, "--out", tmp_path / "site")
    assert answer.status == 2
    assert sentence in answer.err.splitlines()[-1]
    assert (tmp_path / "site").read_text() == "mine"
