"""A container file as steps, for those who have no engine to build it with."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

CONTAINER_FILE = Path(__file__).resolve().parents[1] / "Containerfile"
_KNOWN = {"FROM", "RUN", "USER", "WORKDIR", "COPY", "ENV", "EXPOSE", "HEALTHCHECK", "CMD"}
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass(frozen=True)
class Step:
    """One instruction: its word, and the rest of it on one line."""

    word: str
    rest: str


@dataclass(frozen=True)
class Copy:
    """What ``COPY`` brings.

    Parameters
    ----------
    sources : tuple of str
        Below the folder that is built from.
    target : str
    owner : str
        Empty: root.
    """

    sources: tuple[str, ...]
    target: str
    owner: str


@dataclass
class Image:
    """What the steps leave beside files: settings of the processes that are started."""

    user: str = "root"
    folder: str = "/"
    environment: dict[str, str] = field(default_factory=lambda: {"PATH": _PATH})
    health: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    ports: tuple[int, ...] = ()


def read_steps(text: str) -> list[Step]:
    """Read the instructions, lines that end in a backslash joined and comments left out.

    Raises
    ------
    ValueError
        If an instruction is none of those that this project uses.
    """
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    steps = []
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        if line.strip():
            word, _, rest = line.strip().partition(" ")
            if word not in _KNOWN:
                msg = f"{word} is an instruction that is not known here"
                raise ValueError(msg)
            steps.append(Step(word, rest.strip()))
    return steps


def read_copy(rest: str) -> Copy:
    """Read what stands after ``COPY``."""
    words = rest.split()
    owner = ""
    while words[0].startswith("--"):
        name, _, value = words.pop(0).partition("=")
        if name != "--chown":
            msg = f"{name} of COPY is not known here"
            raise ValueError(msg)
        owner = value
    return Copy(tuple(words[:-1]), words[-1], owner)


def apply(step: Step, image: Image) -> None:
    """Take over what a step says of the processes; steps that change files leave the image as it is."""
    match step.word:
        case "USER":
            image.user = step.rest
        case "WORKDIR":
            image.folder = step.rest
        case "ENV":
            for setting in step.rest.split():
                name, _, value = setting.partition("=")
                image.environment[name] = value.replace(f"${name}", image.environment.get(name, ""))
        case "EXPOSE":
            image.ports += (int(step.rest),)
        case "HEALTHCHECK":
            image.health = tuple(json.loads(step.rest.partition("CMD ")[2]))
        case "CMD":
            image.command = tuple(json.loads(step.rest))
