"""What a script recomputes: the data as they are read, and methods as they are fitted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.analysis.features.rules import Rules
from core.data import Reading
from core.methods import get_method

_OPTIONS = {"forced": "must"}
"""Rules that `core.fit` calls otherwise."""


@dataclass(frozen=True)
class DataDescription:
    """The data of a picture: a dataset, or a file that was dropped into the app, by its name, and a fold from 1.

    ``where`` is both in words. An ``uploaded`` file is one that the script has to find beside itself; ``own`` data is
    looked for in the folder ``SPARSE_RANK_DATA``.
    """

    name: str
    fold: int
    where: str
    reading: Reading
    uploaded: bool = False
    own: bool = False


@dataclass(frozen=True)
class MethodDescription:
    """A method with its parameters, at least those that are not as by default, and rules that change its models."""

    id: str
    parameters: Mapping[str, float | str]
    rules: Rules | None = None

    @property
    def options(self) -> dict[str, Any]:
        """The options of `core.fit` and `core.fit_path`; defaults are left out."""
        usual = get_method(self.id).settings(None)
        given = {name: value for name, value in self.parameters.items() if value != usual[name]}
        options: dict[str, Any] = {"parameters": given} if given else {}
        for name, value in (self.rules.record() if self.rules is not None else {}).items():
            if isinstance(value, dict):
                value = {int(feature): cost for feature, cost in value.items()}
            if value:
                options[_OPTIONS.get(name, name)] = value
        return options


@dataclass(frozen=True)
class ModelDescription:
    """A model: a method with its C, and how it is fitted; without ``tol`` by the method's own rule.

    ``note`` says what keeps the script's numbers from being those of the picture; empty if nothing does.
    """

    method: MethodDescription
    c: float
    solver: str
    tol: float | None = None
    note: str = ""


@dataclass(frozen=True)
class ProtocolDescription:
    """A run of the protocol: methods by the command line's labels, options of `core.api.protocol.run_protocol`."""

    datasets: tuple[DataDescription, ...]
    methods: tuple[str, ...]
    options: Mapping[str, Any]


@dataclass(frozen=True)
class PathModelDescription:
    """The model of a method's path that validation picks by a measure, ``best_by``, else the one of ``n_features``."""

    method: MethodDescription
    best_by: str = ""
    n_features: int = 0
