"""Writes the hashes of all files of the pinned versions, ``.ci/hashes/*.txt``, for ``pip install --require-hashes``.

``run.txt`` has what the app needs, ``test.txt`` what its tests need beside that, ``dev.txt`` what linters need beside
both; each names the one before. The versions are those of ``constraints.txt``; ``uv`` finds what is needed on every
system and Python, and asks the package index for the hashes. Run it (``make hashes``) when a version has changed.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".ci" / "hashes"
EXTRAS = ("run", "test", "dev")
"""Each with all before it; the first is none."""
BUILD = "setuptools"
"""Builds the program itself; with hashes pip does not fetch it unasked."""
HEAD = "# Written by .ci/hashes.py (make hashes) from constraints.txt.\n"
OPTIONS = (
    "--quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-package pip "
    "-c constraints.txt"
)


def pinned(extras: tuple[str, ...]) -> dict[str, str]:
    """Return what has to be installed: the lines of every package, its hashes included, by its first."""
    words = [word for extra in extras for word in ("--extra", extra)]
    command = [sys.executable, "-m", "uv", "pip", "compile", *OPTIONS.split(), *words, "pyproject.toml", "-"]
    told = subprocess.run(command, cwd=ROOT, input=BUILD, stdout=subprocess.PIPE, text=True, check=True).stdout
    packages = ("\n" + told).replace("\n    ", "\0").split("\n")
    return {lines.partition("\0")[0]: lines.replace("\0", "\n    ") for lines in packages if lines}


def main() -> None:
    """Write the files."""
    FOLDER.mkdir(exist_ok=True)
    before: dict[str, str] = {}
    for number, name in enumerate(EXTRAS):
        every = pinned(EXTRAS[1 : number + 1])
        first = [f"-r {EXTRAS[number - 1]}.txt"] if number else []
        new = [lines for package, lines in every.items() if package not in before]
        (FOLDER / f"{name}.txt").write_text(HEAD + "\n".join([*first, *new, ""]), encoding="utf-8")
        before = every


if __name__ == "__main__":
    main()
