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
    """The data of a picture.

    Attributes
    ----------
    name : str
        Of the dataset, or of the file that was dropped into the app.
    fold : int
        Counted from 1.
    where : str
        Dataset and fold in words.
    reading : Reading
    uploaded : bool
        Whether it is a file that the script has to find beside itself.
    own : bool
        Whether it is looked for in the folder ``SPARSE_RANK_DATA``.
    """

    name: str
    fold: int
    where: str
    reading: Reading
    uploaded: bool = False
    own: bool = False


@dataclass(frozen=True)
class MethodDescription:
    """A method with its parameters and the rules for features.

    Attributes
    ----------
    id : str
    parameters : mapping
        All of them, or those that differ from their defaults.
    rules : Rules or None
        Only where they change the method's models.
    """

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
    """A model: a method with its C, and how it is fitted.

    Attributes
    ----------
    method : MethodDescription
    c : float
    solver : str
    tol : float or None
        None for the method's own rule.
    note : str
        What keeps the script's numbers from being those of the picture; empty if nothing does.
    """

    method: MethodDescription
    c: float
    solver: str
    tol: float | None = None
    note: str = ""


@dataclass(frozen=True)
class ProtocolDescription:
    """A run of the protocol.

    Attributes
    ----------
    datasets : tuple of DataDescription
    methods : tuple of str
        Labels, as the command line has them.
    options : mapping
        Of `core.api.protocol.run_protocol`.
    """

    datasets: tuple[DataDescription, ...]
    methods: tuple[str, ...]
    options: Mapping[str, Any]


@dataclass(frozen=True)
class PathModelDescription:
    """A model of a method's path.

    Attributes
    ----------
    method : MethodDescription
    best_by : str
        The measure by which the validation part picks it; empty where it has ``n_features``.
    n_features : int
    """

    method: MethodDescription
    best_by: str = ""
    n_features: int = 0
