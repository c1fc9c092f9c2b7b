"""A cell of the protocol: one method on one fold, with a key of everything that its result depends on.

Of that the version of the program that computed it: results of another version are never reused.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import platform
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache

from core.code_version import code_version
from core.data import Fold
from core.data.numbers import read_number
from core.experiments.run.learners.learner import Learner, Parameters, Question
from core.experiments.run.learners.registry import get_learner
from core.methods.registry import REFITTED
from core.program import version

Identity = tuple[tuple[str, str], ...]
PROTOCOL = "core.experiments.run.protocol"
"""Computes a cell of the protocol."""
EXPERIMENTS = "core.experiments.papers.registry"
"""Knows all other experiments."""
LIBRARIES = ("numpy", "scipy", "numba", "scikit-learn")
OPTIONAL = ("lightgbm",)
"""Libraries that are listed only if they are installed."""


@lru_cache(maxsize=1)
def protocol_version() -> str:
    """Return the package's version and a hash of the code that cells depend on, such as ``"0.1.0+3f2a9c417b02"``.

    Figures, pages and the command line do not belong to it.
    """
    return _version_of(PROTOCOL)


@lru_cache(maxsize=1)
def experiment_version() -> str:
    """Return the version for experiments outside the protocol."""
    return _version_of(EXPERIMENTS)


def _version_of(module: str) -> str:
    return f"{version()}+{code_version(module)[:12]}"


@lru_cache(maxsize=1)
def library_versions() -> dict[str, str]:
    """Return the versions of Python and of the numerical libraries; the last bits of a result may depend on them."""
    optional = {name: found for name in OPTIONAL if (found := _version(name)) != "unknown"}
    return {"python": platform.python_version()} | {name: _version(name) for name in LIBRARIES} | optional


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


@dataclass(frozen=True)
class MethodChoice:
    """A method with parameter settings, as one line of a table."""

    method: str  # id of the method, or of a reference outside the registry (`core.experiments.run.learners.registry`)
    # Parameters that differ from their defaults, and given values of parameters that validation would otherwise choose.
    given: Parameters = ()

    @classmethod
    def parse(cls, text: str) -> MethodChoice:
        """Parse ``"log"``, ``"rwfs-l0:share=0.3"`` (several ``:NAME=VALUE``), or ``"l1:refit"`` for ``refit=yes``.

        Raises
        ------
        ValueError
            If there is no such method or parameter, or a value is out of range.
        """
        learner_id, *settings = text.strip().split(":")
        learner = get_learner(learner_id)
        given: dict[str, float | str] = {}
        for setting in settings:
            name, equals, value = setting.partition("=")
            if not equals and name in _switches(learner):
                value = YES
            try:
                given[name] = read_number(value)
            except ValueError:
                given[name] = value  # a word, whose meaning the parameter knows
        return cls.of(learner, given)

    @classmethod
    def of(cls, learner: Learner, given: Mapping[str, float | str]) -> MethodChoice:
        """Make the choice with these parameters; a given value is kept for a parameter that validation would choose.

        Raises
        ------
        ValueError
            If a name is unknown or a value out of range.
        """
        defaults, settings = learner.settings(), learner.settings(given)
        kept = {p.name for p in learner.parameters if settings[p.name] != defaults[p.name] or p.tried} & given.keys()
        return cls(learner.id, tuple((name, value) for name, value in settings.items() if name in kept))

    @property
    def label(self) -> str:
        """The text that `parse` reads."""
        learner = get_learner(self.method)
        named, switches = {parameter.name: parameter for parameter in learner.parameters}, _switches(learner)
        given = ((name, named[name].text(value)) for name, value in self.given)
        words = (name if name in switches and text == YES else f"{name}={text}" for name, text in given)
        return ":".join([self.method, *words])

    @property
    def title(self) -> str:
        """Its name for people, such as ``"RankRWFS-ℓ0 (share=0.3)"`` or ``"RankSVM ℓ1, refitted"``."""
        name, settings = get_learner(self.method).title, self.label.split(":")[1:]
        if "refit" in settings:
            settings.remove("refit")
            name = f"{name}{REFITTED}"
        return f"{name} ({', '.join(settings)})" if settings else name

    @property
    def settings(self) -> Parameters:
        """Every parameter, defaults included, except those that validation chooses."""
        learner, given = get_learner(self.method), dict(self.given)
        chosen = {parameter.name for parameter in learner.parameters if parameter.tried} - given.keys()
        return tuple((name, value) for name, value in learner.settings(given).items() if name not in chosen)


def choice_titles(choices: Iterable[MethodChoice]) -> dict[str, str]:
    """Return the title of every choice by its label."""
    return {choice.label: choice.title for choice in choices}


def title_of(label: str) -> str:
    """Return the title for a label, as stores and tables have it; an unknown label is returned as it is."""
    try:
        return MethodChoice.parse(label).title
    except ValueError:
        return label


@dataclass(frozen=True, kw_only=True)
class Cell(Question):
    """One entry of the protocol's table: a question to a method on a fold. Its result depends on its `key` only.

    Attributes
    ----------
    dataset : str
    fold : int
        Number of the fold, from 1. Like the dataset's name it is for people: fingerprints identify the data, so a
        renamed folder is not computed again.
    fingerprints : tuple of str
        Fingerprints of the fold's train, vali and test part.
    choice : MethodChoice
    code : str
        The result of `protocol_version`.
    draw : int
        0: the training queries as they are. From 1: the number of a draw of them with replacement. The draw follows
        from this number and the training part, so that all methods see the same ones.
    """

    dataset: str
    fold: int
    fingerprints: tuple[str, ...]
    choice: MethodChoice
    code: str
    draw: int = 0

    @property
    def where(self) -> str:
        """The line of the table that it belongs to, for people."""
        return f"{self.dataset} {self.choice.label}"

    @property
    def key(self) -> str:
        """The sha256 of everything that the result depends on."""
        depends = {name: value for name, value in asdict(self).items() if name not in ("dataset", "fold", "choice")}
        depends["method"] = self.choice.method
        return hashlib.sha256(json.dumps(depends, sort_keys=True).encode()).hexdigest()


YES = "yes"


def _switches(learner: Learner) -> frozenset[str]:
    """Return the parameters that are on or off; a label that contains only their name means on."""
    return frozenset(parameter.name for parameter in learner.parameters if parameter.choices == ("no", YES))


def fold_identity(fold: Fold) -> Identity:
    """Return part and fingerprint of every part."""
    return tuple((part, data.fingerprint) for part, data in fold.parts().items())
