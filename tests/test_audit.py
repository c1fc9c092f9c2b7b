"""The check of versions against known vulnerabilities fails for a vulnerability, and for nothing else."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

from tests.says import assert_says


@pytest.fixture
def audit() -> ModuleType:
    path = Path(__file__).resolve().parents[1] / ".ci" / "audit.py"
    spec = importlib.util.spec_from_file_location("audit", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SAFE = {"name": "numpy", "version": "2.4.6", "vulns": []}
UNKNOWN = {"name": "ours", "skip_reason": "not found"}
BROKEN = {"name": "x", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}]}


@pytest.mark.parametrize("told", ["", "Traceback", "[]x", json.dumps({"dependencies": [UNKNOWN]})])
def test_without_an_answer_it_says_so_in_one_line_and_does_not_fail(audit: ModuleType, told: str) -> None:
    text, status = audit.verdict(told)
    assert text.startswith("audit skipped: ")
    assert "\n" not in text
    assert status == 0


def test_a_vulnerability_fails_and_is_named(audit: ModuleType) -> None:
    text, status = audit.verdict(json.dumps({"dependencies": [SAFE, UNKNOWN]}))
    assert_says(text, "1 of 2 packages", "0 known vulnerabilities")
    assert "\n" not in text
    assert status == 0
    text, status = audit.verdict(json.dumps({"dependencies": [SAFE, BROKEN]}))
    assert status == 1
    assert_says(text, "x 1", "PYSEC-1", "1.1")
