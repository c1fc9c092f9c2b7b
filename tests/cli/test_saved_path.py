"""``path --html``: the path as a page beside the usual answer."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Ask, Command


def test_the_answer_names_the_page_and_is_the_usual_one(ask: Ask, tmp_path: Path) -> None:
    words = ("path", "planted", "--method", "l1", "--points", "4")
    record = ask(*words, "--html", tmp_path / "page.html")
    assert record.pop("html") == str(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8").count("<tr>") == 5
    usual = ask(*words)
    assert [point["objective"] for point in record["points"]] == [point["objective"] for point in usual["points"]]


def test_what_cannot_be_saved_is_refused_before_the_work(run: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    beneath_a_file = tmp_path / "file" / "page.html"
    for more in (("--over", "k", "--method", "best-subset", "--set", "k=2"), ("--points", "3", "--method", "l1")):
        refused = run("path", "planted", *more, "--html", beneath_a_file)
        assert refused.status == 2
        assert len(refused.err.splitlines()) == 1
