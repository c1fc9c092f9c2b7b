"""What pip installs: one package and one command, the whole program behind them, and nobody else's names taken."""

import asyncio
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
import zipfile
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

import core
from core.cli import main, server
from core.program import FOLDER, version
from tests.program_pages import PAGES
from tests.says import assert_says
from tests.sources import copy_of_the_program
from tests.stand_ins import free_port

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "core" / "package"
SECONDS = 300.0
PROTOCOL = ("protocol", "planted", "--methods", "l1", "--grid", "3")
STRANGER = "raise SystemExit('a file of somebody else was taken for one of the program')\n"


def python(*words: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words], cwd=cwd, env=os.environ | environment, capture_output=True, text=True, check=False
    )


def test_the_package_has_the_names_of_core_and_loads_none_before_it_is_used(tmp_path: Path) -> None:
    code = """
import sys
import sparse_ranking_lab as lab
assert not {"numpy", "numba", "pandas"} & set(sys.modules)
for name in lab.__all__:
    getattr(lab, name)
assert callable(lab.pictures.tradeoff)
print(*lab.__all__)
"""
    ran = python("-c", code, cwd=tmp_path, PYTHONPATH=str(PACKAGE))
    assert ran.stdout.split() == core.__all__, ran.stderr


def test_another_package_named_core_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "__init__.py").write_text("")
    ran = python("-c", "import core, sparse_ranking_lab", cwd=tmp_path, PYTHONPATH=str(PACKAGE))
    assert ran.returncode != 0
    assert_says(ran.stderr.splitlines()[-1], "ImportError", "core", str(tmp_path), "import sparse_ranking_lab before")


def test_modules_of_a_notebook_keep_their_names(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("whose = 'mine'\n")
    code = "import sparse_ranking_lab as lab; lab.list_datasets(); import app; print(app.whose)"
    assert python("-c", code, cwd=tmp_path, PYTHONPATH=str(PACKAGE)).stdout == "mine\n"


def test_the_version_stands_in_one_place_and_the_command_line_says_it(capsys: pytest.CaptureFixture[str]) -> None:
    (written,) = re.findall(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out.split() == ["sparse-ranking-lab", written]
    assert version() == written
    assert f"\nversion: {written}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "flags"),
    [
        (["run"], {"--server.address=127.0.0.1", "--server.port=8501", "--server.headless=false"}),
        (["run", "--port", "8700", "--no-browser"], {"--server.port=8700", "--server.headless=true"}),
        (["serve"], {"--server.address=0.0.0.0", "--server.port=8501", "--server.fileWatcherType=none"}),
        (["serve", "--address", "10.0.0.5"], {"--server.address=10.0.0.5"}),
        (["serve", "--class"], {"--server.address=0.0.0.0", "--server.headless=false"}),
        (["serve", "--class", "--no-browser"], {"--server.headless=true"}),
    ],
)
def test_run_and_serve_become_the_server_of_the_app(
    monkeypatch: pytest.MonkeyPatch, words: list[str], flags: set[str]
) -> None:
    for name in ("SPARSE_RANK_LOG", "SPARSE_RANK_CLASS"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    begun: list[list[str]] = []
    monkeypatch.setattr(server.os, "name", "posix")
    monkeypatch.setattr(server.os, "execv", lambda _, words: begun.append(words) or sys.exit(0))
    with pytest.raises(SystemExit, match="0"):
        main(words)
    ((program, _, *rest),) = begun
    assert program == sys.executable
    assert rest[:4] == ["-m", "streamlit", "run", str(FOLDER / "app.py")]
    assert flags <= set(rest)
    in_class = "--class" in words
    assert os.environ.get("SPARSE_RANK_CLASS") == ("1" if in_class else None)
    assert os.environ.get("SPARSE_RANK_LOG") == ("json" if words[0] == "serve" and not in_class else None)


def test_where_a_process_cannot_become_another_the_command_waits_for_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server.os, "name", "nt")
    monkeypatch.setattr(server.subprocess, "run", lambda *_, **__: Namespace(returncode=3))
    with pytest.raises(SystemExit, match="3"):
        main(["run"])


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy of the program, as building leaves files behind."""
    source = copy_of_the_program(tmp_path_factory.mktemp("source"))
    shutil.copytree(ROOT / "docs", source / "docs", dirs_exist_ok=True)  # its pictures, too
    (source / "LICENSE").write_text((ROOT / "LICENSE").read_text(encoding="utf-8"), encoding="utf-8")
    (source / "scratch.txt").write_text("mine")
    built = tmp_path_factory.mktemp("wheel")
    made = python("-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(built), str(source), cwd=built)
    assert made.returncode == 0, made.stderr
    (found,) = built.glob("*.whl")
    return found


class Installed:
    """An environment that has the wheel and what it depends on, and a folder beside it.

    The folder is somebody's who has files named as ours.
    """

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.here = folder / "elsewhere"
        self.bin = folder / "environment" / ("Scripts" if os.name == "nt" else "bin")
        for name in ("core", "pages"):
            (self.here / name).mkdir(parents=True)
            (self.here / name / "__init__.py").write_text(STRANGER)
        (self.here / "app.py").write_text(STRANGER)
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST", "NUMBA"))
        } | {"SPARSE_RANK_CACHE": str(folder / "cache"), "SPARSE_RANK_HOME": str(folder / "home")}
        self._ran(sys.executable, "-m", "venv", "--without-pip", str(folder / "environment"))
        install = ("install", "--quiet", "--no-compile", "-c", str(ROOT / "constraints.txt"), f"{wheel}[dask]")
        self._ran(sys.executable, "-m", "pip", "--python", str(self.bin / "python"), *install)

    def __call__(self, *words: str) -> str:
        """What the command prints."""
        return self._ran(str(self.bin / "sparse-ranking-lab"), *words)

    def python(self, *words: str) -> str:
        """What Python prints."""
        return self._ran(str(self.bin / "python"), *words)

    @contextmanager
    def beside(self, *words: str) -> Iterator[subprocess.Popen[str]]:
        """A command at work, until it is left."""
        words = (str(self.bin / words[0]), *words[1:])
        with subprocess.Popen(words, cwd=self.here, env=self.environment, stderr=subprocess.DEVNULL) as process:
            try:
                yield process
            finally:
                process.terminate()
                process.wait(SECONDS)

    def _ran(self, *words: str) -> str:
        ran = subprocess.run(
            words, cwd=self.here, env=self.environment, capture_output=True, text=True, check=False, timeout=900
        )
        assert ran.returncode == 0, f"{words}\n{ran.stdout}\n{ran.stderr}"
        return ran.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Installed:
    return Installed(tmp_path_factory.mktemp("installed"), wheel)


@pytest.mark.more
def test_the_wheel_has_the_program_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as content:
        names = {name for name in content.namelist() if ".dist-info/" not in name}
    inside = "sparse_ranking_lab/program/"
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    if not listed:
        pytest.skip("no git here that knows the program's files")
    ours = {name for name in listed.splitlines() if name.startswith(("core/", "pages/", "sample_data/", "docs/"))}
    ours = {name for name in ours if not name.startswith("core/package/")} | {"app.py", ".streamlit/config.toml"}
    assert names - {f"sparse_ranking_lab/{name}.py" for name in ("__init__", "__main__")} == {
        inside + name for name in ours
    }


@pytest.mark.more
def test_from_any_folder_the_command_fits_and_processes_of_its_own_do(installed: Installed) -> None:
    """A worker of the protocol is a process of this program, in spite of the folder where it is started."""
    assert installed("--version").split() == ["sparse-ranking-lab", version()]
    fitted = json.loads(installed("fit", "python-docs", "--lambda-ratio", "0.05", "--json"))
    assert fitted["stop"] == "converged"
    assert "sparse-ranking-lab papers" in installed("paper", "--help")
    installed(*PROTOCOL, "--workers", "1", "--out", "runs")
    assert "sparse-ranking-lab protocol planted" in (installed.here / "runs" / "report.html").read_text()


@pytest.mark.more
def test_a_notebook_imports_the_package_and_so_do_processes_that_take_its_models(installed: Installed) -> None:
    """Searches of scikit-learn start processes; a model that is kept as a pickle comes back in another one."""
    fitted = """
import pickle
from sklearn.model_selection import GridSearchCV
from sparse_ranking_lab import SparseRanker, open_dataset

data = open_dataset("planted").fold(1).train
search = GridSearchCV(SparseRanker("l1"), {"C": [1e-6, 1e-3]}, n_jobs=2, cv=2, error_score="raise")
search.fit(data.features, data.relevance)
with open("model.pickle", "wb") as file:
    pickle.dump(search.best_estimator_, file)
print(search.best_score_, search.best_estimator_.coef_.sum())
"""
    taken = """
import pickle
import sparse_ranking_lab

with open("model.pickle", "rb") as file:
    print(pickle.load(file).coef_.sum())
"""
    assert installed.python("-c", fitted).split()[-1] == installed.python("-c", taken).strip()


@pytest.mark.more
def test_workers_of_a_cluster_need_the_package_and_no_word_of_it(installed: Installed) -> None:
    address = f"tcp://127.0.0.1:{free_port()}"
    scheduler = ("--host", "127.0.0.1", "--port", address.rpartition(":")[2])
    with (
        installed.beside("dask", "scheduler", *scheduler, "--no-dashboard"),
        installed.beside("dask", "worker", address, "--nthreads", "1", "--no-dashboard"),
    ):
        _wait_for_dask(address)
        installed(*PROTOCOL, "--dask", address, "--out", "cluster")
    assert (installed.here / "cluster" / "report.html").is_file()


@pytest.mark.more
def test_from_any_folder_the_app_draws_every_page(installed: Installed) -> None:
    address = f"http://127.0.0.1:{free_port()}"
    with installed.beside("sparse-ranking-lab", "run", "--no-browser", "--port", address.rpartition(":")[2]) as server:
        health = _when_well(f"{address}/health", server)
        assert health["version"] == version()
        asyncio.run(_look_at_every_page(address))


async def _look_at_every_page(address: str) -> None:
    from benchmarks.app.websocket_visitor import Visitor

    for page in PAGES:
        async with Visitor(address) as visitor:
            await visitor.open("" if page == "start" else page, "dataset=planted&method=l1")
            shown = [element.WhichOneof("type") for element in visitor.elements.values()]
            faults = [e.alert.body for e in visitor.elements.values() if e.WhichOneof("type") == "alert"]
            assert "exception" not in shown, page
            assert not [words for words in faults if "could not be computed" in words or "fault" in words], (
                page,
                faults,
            )
            assert len(shown) > 5, page


def _wait_for_dask(address: str) -> None:
    host, _, port = address.removeprefix("tcp://").partition(":")
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection((host, int(port)), timeout=5):
            return
        time.sleep(0.1)
    pytest.fail("the scheduler never listened")


def _when_well(address: str, server: subprocess.Popen[str]) -> dict[str, object]:
    deadline = time.monotonic() + SECONDS
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                return dict(json.load(answer))
        except OSError:
            assert server.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.1)
