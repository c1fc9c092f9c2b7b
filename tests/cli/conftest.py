"""Commands as a person types them, and small files to type them about."""

import json
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import pytest

from core.cli import main
from core.data import RankingData
from core.experiments.run.cells import Cell
from core.experiments.run.plan import DatasetSource
from core.experiments.run.workers.local_workers import LocalWorkers
from core.experiments.run.workers.workers import Outcome, attempt
from tests.oracles import ranking_problem
from tests.ranking_files import letor_text, write_folds


class Answer(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str


Command = Callable[..., Answer]
Ask = Callable[..., Any]


@pytest.fixture
def workers_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells are worked out in this process, one at a time: what a process does is tests/experiments' concern."""
    alone = Lock()

    def ask(workers: LocalWorkers, cell: Cell, source: DatasetSource, store: str | None) -> Outcome:
        with alone:
            return attempt(cell, lambda: source.open().fold(cell.fold), store)

    monkeypatch.setattr(LocalWorkers, "_ask", ask)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run ``python -m core WORDS`` without a process of its own."""

    def command(*words: object) -> Answer:
        capsys.readouterr()
        status = main([str(word) for word in words])
        return Answer(status, *capsys.readouterr())

    return command


@pytest.fixture
def ask(run: Command) -> Ask:
    """The answer to a command with ``--json``, which must be all it prints."""

    def command(*words: object) -> Any:
        answer = run(*words, "--json")
        assert (answer.status, answer.err) == (0, "")
        return strict_json(answer.out)

    return command


@pytest.fixture
def refused(run: Command) -> Callable[..., str]:
    """The one line on stderr of a command that is bad usage or meets bad data."""

    def command(*words: object) -> str:
        for json_or_text in (["--json"], []):
            answer = run(*words, *json_or_text)
            assert answer.status == 2, answer
            assert answer.out == ""
            assert answer.err.count("\n") == 1
            assert answer.err.endswith("\n")
            assert "Traceback" not in answer.err
        return answer.err.strip()

    return command


def strict_json(text: str) -> Any:
    """One JSON value on one line, without NaN and Infinity."""

    def refuse(constant: str) -> None:
        msg = f"{constant} is no JSON"
        raise AssertionError(msg)

    assert text.endswith("\n")
    assert text.count("\n") == 1
    return json.loads(text, parse_constant=refuse)


@pytest.fixture(scope="session")
def data() -> RankingData:
    """20 queries of 12 documents with 15 features and three levels."""
    return ranking_problem()


@pytest.fixture(scope="session")
def letor_file(data: RankingData, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("letor") / "small.txt"
    path.write_text(letor_text(data))
    return path


@pytest.fixture(scope="session")
def folds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two folds with all parts, each of other queries."""
    both = [ranking_problem(fold, n_queries=40) for fold in (1, 2)]
    folder = tmp_path_factory.mktemp("folds") / "two-folds"
    return write_folds(folder, both, train=range(12), vali=range(13, 25), test=range(26, 38))
