"""Versions are pinned once, in constraints.txt, and the hashes of their files beside them."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]
HASHES = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / ".ci" / "hashes").glob("*.txt")}


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("newest", ROOT / ".ci" / "newest.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


newest = _load()
PINNED = newest.pins((ROOT / "constraints.txt").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _names(requirements: list[str]) -> set[str]:
    return {newest.name_of(re.split(r"[<>=!~\[; ]", one)[0]) for one in requirements}


def test_hashes_are_those_of_the_versions_that_are_pinned() -> None:
    hashed = [newest.pins(text) for text in HASHES.values()]
    assert {name: version for pins in hashed for name, version in pins.items()} == PINNED
    assert sum(map(len, hashed)) == len(PINNED), "a package stands in one of the files"
    for text in HASHES.values():
        packages = re.split(r"\n(?=\S)", text.strip())[1:]
        assert all(package.startswith("-r ") or "--hash=sha256:" in package for package in packages)
        assert "://" not in text, "no address of an index"


def test_each_file_of_hashes_has_what_its_extra_names() -> None:
    run, test, dev = (set(newest.pins(HASHES[name])) for name in ("run", "test", "dev"))
    extras = {name: _names(found) for name, found in PROJECT["project"]["optional-dependencies"].items()}
    assert _names(PROJECT["project"]["dependencies"]) | _names(PROJECT["build-system"]["requires"]) <= run
    assert extras.pop("dev") <= run | test | dev
    assert set().union(*extras.values()) <= run | test
    assert HASHES["test"].splitlines()[1] == "-r run.txt"
    assert HASHES["dev"].splitlines()[1] == "-r test.txt"


def test_the_newest_versions_are_told_where_they_differ() -> None:
    pinned = {"numpy": "2.4.6", "streamlit": "1.67.0", "ruff": "0.17.5", "scipy": "1.17.1"}
    found = {"numpy": "2.5.0", "streamlit": "1.67.0", "scipy": "1.17.1", "six": "1.17.0", "pip": "26", newest.OURS: "1"}
    numpy, six, streamlit = newest.changes(pinned, found, {"streamlit": "1.70.0"})
    assert numpy == "numpy 2.4.6 -> 2.5.0"
    assert "six" in six
    assert "1.17.0" in six
    assert "1.67.0" in streamlit
    assert "1.70.0" in streamlit
