"""Runs the tests with the newest versions that the package index has, and says what differs from ``constraints.txt``.

Usage: ``python .ci/newest.py [PYTEST ARGUMENTS]`` (``make test-newest``). The environment is ``.venv-newest``, made
anew. The exit status is that of the tests.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import venv
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".venv-newest"
PYTHON = FOLDER / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
PIP = (str(PYTHON), "-m", "pip", "--disable-pip-version-check")
OURS = "sparse-ranking-lab"


def name_of(package: str) -> str:
    """Return the one spelling of a package's name."""
    return re.sub(r"[-_.]+", "-", package).lower()


def pins(text: str) -> dict[str, str]:
    """Return the versions of ``name==version`` lines by name."""
    found = (re.match(r"([\w.-]+)==(\S+)", line) for line in text.splitlines())
    return {name_of(one[1]): one[2] for one in found if one}


def changes(pinned: Mapping[str, str], newest: Mapping[str, str], held_back: Mapping[str, str]) -> list[str]:
    """Say in a line for each package how the newest versions differ from the pinned ones.

    Parameters
    ----------
    pinned : mapping
        Versions by name.
    newest : mapping
        What was installed. A pinned package may be missing, for another system or for linters.
    held_back : mapping
        Versions that are newer still, which ``pyproject.toml`` or another package does not allow.
    """
    lines = []
    for name in sorted({*newest, *held_back} - {OURS, "pip"}):
        now = newest.get(name, "")
        changed = f"{name} {pinned.get(name, 'not pinned')} -> {now}" if now != pinned.get(name) else ""
        beyond = f"{held_back[name]} is there, but something requires an older one" if name in held_back else ""
        if changed or beyond:
            lines.append(f"{changed or f'{name} {now}'}{'; ' if beyond else ''}{beyond}")
    return lines


def _listed(*words: str) -> dict[str, str]:
    told = subprocess.run([*PIP, "list", "--format", "json", *words], stdout=subprocess.PIPE, check=True).stdout
    return {name_of(one["name"]): one.get("latest_version", one["version"]) for one in json.loads(told)}


def main() -> int:
    """Make the environment, say what differs, and run the tests."""
    venv.create(FOLDER, clear=True, with_pip=True)
    subprocess.run([*PIP, "install", "--quiet", "--no-compile", "-e", ".[test]"], cwd=ROOT, check=True)
    pinned = pins((ROOT / "constraints.txt").read_text(encoding="utf-8"))
    found = changes(pinned, _listed(), _listed("--outdated"))
    print("\n".join([f"== {len(found)} packages differ from constraints.txt", *found]), flush=True)
    status = subprocess.run(["bash", ".ci/test", str(PYTHON), *sys.argv[1:]], cwd=ROOT, check=False).returncode
    print(f"== the tests {'failed' if status else 'passed'} with these versions")
    return status


if __name__ == "__main__":
    sys.exit(main())
