"""``evaluate``: scores from a file, measured as the official scripts do.

``path`` runs from the empty model on; ``fit --tune`` takes its best point by the validation part.
"""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core.data import DataError
from core.data.imports.text_file import read_scores
from tests.cli.conftest import Ask, Command
from tests.says import assert_says

LISTS = "".join(f"{label} qid:1 1:{-rank}\n" for rank, label in enumerate([0, 1, 2, 0, 2, 1]))


@pytest.fixture
def lists(tmp_path: Path) -> Path:
    """One query whose documents stand in the order of the design's check values."""
    (tmp_path / "lists.txt").write_text(LISTS)
    return tmp_path / "lists.txt"


def scores(folder: Path, text: str) -> Path:
    (folder / "scores.txt").write_text(text)
    return folder / "scores.txt"


def test_scores_are_read_with_blank_ends_a_byte_order_mark_or_gzipped(tmp_path: Path) -> None:
    plain = scores(tmp_path, "\ufeff 1.5 \r\n-2e-3\r\n\n\n")
    assert read_scores(plain, 2).tolist() == [1.5, -2e-3]
    (tmp_path / "utf16").write_bytes("1.5\n-2e-3\n".encode("utf-16"))
    assert read_scores(tmp_path / "utf16", 2).tolist() == [1.5, -2e-3]
    packed = tmp_path / "scores.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert read_scores(packed, 2).tolist() == [1.5, -2e-3]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("1\n2\n", ("2 scores", "3 documents")),
        ("1\n2\n3\n4\n", ("4 scores", "3 documents")),
        ("1\ntwo\n3\n", ("line 2", "'two'", "number")),
        ("1\n2 2\n3\n", ("line 2", "'2 2'", "number")),
        ("1\n\n3\n", ("line 2", "''", "number")),
        ("1\n2\nnan\n", ("line 3", "nan")),
        ("-inf\n2\n3\n", ("line 1", "-inf")),
        ("1,2,3\n", ("line 1", "'1,2,3'", "number")),
        ("", ("empty",)),
        ("1\x00\n\x00", ("UTF-16",)),
        ("\xe9t\xe9\n", ("line 1", "not a number")),
    ],
)
def test_scores_that_cannot_be_used_are_refused_at_their_line(
    text: str, facts: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "scores.txt").write_bytes(text.encode("latin-1"))
    with pytest.raises(DataError) as caught:
        read_scores(tmp_path / "scores.txt", 3)
    assert_says(str(caught.value).removeprefix(str(tmp_path)), "scores.txt", *facts)
    assert str(caught.value).startswith(str(tmp_path / "scores.txt")), "the file as the person named it"


def test_the_ranking_is_written_for_other_tools(lists: Path, tmp_path: Path, ask: Ask) -> None:
    files = ("--trec-run", tmp_path / "a" / "run", "--trec-qrels", tmp_path / "a" / "qrels")
    record = ask("evaluate", lists, scores(tmp_path, "1\n1\n7\n1\n1\n1\n"), *files, "--convention", "letor3")
    assert record["convention"] == "letor3"
    assert record["trec"] == {"run": str(files[1]), "qrels": str(files[3])}
    assert (tmp_path / "a" / "qrels").read_text().splitlines()[2] == "1 0 1-3 2"
    ranked = [line.split()[2] for line in (tmp_path / "a" / "run").read_text().splitlines()]
    assert ranked == ["1-3", "1-1", "1-2", "1-4", "1-5", "1-6"]


@pytest.mark.parametrize("scale", ["none", "standard", "minmax", "query-minmax"])
def test_a_result_of_fit_scores_the_documents_as_it_was_measured(
    scale: str, letor_file: Path, tmp_path: Path, ask: Ask, run: Command
) -> None:
    fitted = run("fit", letor_file, "--lambda-ratio", "0.1", "--scale", scale, "--json").out
    (tmp_path / "result.json").write_text(fitted)
    record = ask("evaluate", letor_file, tmp_path / "result.json")
    for measure, value in json.loads(fitted)["metrics"]["train"].items():
        assert record[measure] == pytest.approx(value, abs=1e-12)


def test_another_rule_takes_a_sparser_model_and_says_so(folds: Path, ask: Ask, run: Command) -> None:
    best, sparser = (ask("fit", folds, "--fold", 2, "--tune", "map", "--choose", rule) for rule in ("best", "one-se"))
    assert sparser["nonzero"] <= best["nonzero"]
    assert sparser["tuned"]["vali"] <= best["tuned"]["vali"]
    assert sparser["tuned"]["choice"]["rule"] == "one-se"
    printed = run("fit", folds, "--fold", 2, "--tune", "map", "--choose", "one-se").out
    noise = sparser["tuned"]["choice"]["nonzero"]
    assert_says(printed, "one standard error", f"{noise['mean']:.1f} ± {noise['deviation']:.1f} features")


@pytest.mark.parametrize("measure", ["rr", "err@3", "r@2", "ndcg@50"])
def test_a_measure_that_paths_do_not_list_chooses_and_is_told_of_every_part(
    measure: str, folds: Path, ask: Ask
) -> None:
    record = ask("fit", folds, "--fold", 2, "--tune", measure)
    name, tuned = measure.upper(), record["tuned"]
    assert tuned["measure"] == name
    assert all(0.0 < values[name] <= 1.0 for values in record["metrics"].values())
    over_ties = record["expected_over_ties"].get("vali", {}).get(name, record["metrics"]["vali"][name])
    assert over_ties == pytest.approx(tuned["vali"], abs=1e-12)
    assert name in tuned["choice"]["test"]


def test_what_cannot_be_tuned_on_is_refused_before_a_path_is_fitted(
    letor_file: Path, refused: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long path would otherwise be fitted in vain."""
    from core.analysis import fitting

    fitted = []
    monkeypatch.setattr(fitting.Fitting, "tuning_fits", lambda *words, **options: fitted.append(words) or [])
    assert "no validation part" in refused("fit", letor_file, "--tune", "map")
    assert not fitted


def test_the_numbers_of_features_that_were_tried_are_told(folds: Path, ask: Ask, run: Command) -> None:
    words = ("fit", folds, "--method", "fs-rank", "--tune", "map")
    tuned, told = ask(*words)["tuned"], run(*words).out
    assert_says(told, f"k = {tuned['chosen']['k']:g}", "among", *(f"{k:g}" for k in tuned["tried"]["k"]))
    assert "among 5, " not in run(*words, "--set", "k=20").out


def test_a_path_over_k_ends_at_the_k_that_is_asked_for(folds: Path, ask: Ask) -> None:
    answer = ask("path", folds, "--over", "k", "--method", "forward", "--set", "k=3")
    assert [point["k"] for point in answer["points"]] == [1, 2, 3]
