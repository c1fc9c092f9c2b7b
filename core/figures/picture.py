"""The declaration of a picture: what it shows, its options, its numbers, its words and its drawing, each once.

From a declaration follow the function of the notebook, the Python script, the table with its downloads, the cache key
and the controls of the page.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, MISSING, Field, dataclass, field, fields
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeAlias, TypeVar, cast

import pandas as pd
import plotly.graph_objects as go

from core.analysis.ingredient import Ingredient
from core.content import content_key
from core.data import Dataset, Fold
from core.data.dataset import training_part
from core.figures.drag.drag import Drag, Hand
from core.figures.look.style import Words as Words  # every picture imports it from here
from core.names.tables import frame_csv

Figure: TypeAlias = go.Figure
"""A plotly figure, for those who hand one on."""


Found = TypeVar("Found")
_OPTION = "option"


@dataclass(frozen=True)
class Option:
    """What is said of an option beside its default."""

    label: str = ""
    """Of its control; empty where the page builds the control, or has none. With a label, pages, addresses and saved
    pages have it."""
    help: str = ""
    """Of its control."""
    titles: Mapping[Any, str] = field(default_factory=dict)
    """The values that can be chosen, with their labels; empty for numbers and switches."""
    low: float = 0.0
    high: float = 1.0
    step: float = 0.1
    """The range of a number."""
    format: str = "%g"
    """How a slider writes a number, as for ``printf``."""
    looks: bool = False
    """Whether it changes how the picture looks only, and none of its numbers."""
    key: str = ""
    """Of its control, in session and address; that of the chart with the name of the option where it is empty."""


def option(default: Any, label: str = "", help: str = "", **more: Any) -> Any:
    """Declare an option of a picture; the arguments are the attributes of `Option`."""
    return field(default=default, metadata={_OPTION: Option(label, help, **more)})


def aside(default: Any) -> Any:
    """Declare what the page adds to a picture and a script does not write, such as the name of the dataset."""
    return field(default=default, metadata={_OPTION: None})


def _content(value: Any) -> Any:
    """What a digest reads of a field; of a dataset its description, since its folds are read on demand."""
    if isinstance(value, Dataset):
        return (value.name, value.fold_names, value.convention, value.provenance)
    if isinstance(value, list | tuple):
        return [_content(one) for one in value]
    if isinstance(value, Mapping):
        return {name: _content(one) for name, one in value.items()}
    return value


def _has_dataset(value: Any) -> bool:
    several = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else [value]
    return any(isinstance(one, Dataset) for one in several)


def refuse(wrong: object, why: str) -> None:
    """Raise a ValueError that says why an option cannot be used, where it is wrong."""
    if wrong:
        raise ValueError(why)


def check_part(part: str, fold: Fold) -> None:
    """Refuse a part that a fold has not, with a ValueError."""
    refuse(part not in fold.parts(), f"the fold has no part {part!r}; it has {', '.join(fold.parts())}")


def said(*parts: str) -> str:
    """Join the parts of a subtitle; those that are empty are left out."""
    return " · ".join(filter(None, parts))


@dataclass(frozen=True, eq=False)
class Picture(ABC, Generic[Found]):
    """A picture with the numbers it draws.

    A subclass is a frozen dataclass without equality. Its positional fields are what is looked at: data, folds, models,
    paths. Its keyword-only fields are options (`option`), or are filled in by the page (`aside`), as ``where``: which
    data it is, in words. It can be called as a function of the notebook; its docstring is the function's.
    """

    _: KW_ONLY
    where: str = aside("")
    headed: bool = aside(False)
    """Whether the page has the sentence of `titled` as its headline."""

    name: ClassVar[str]
    """Of the function in the notebook."""
    chart: ClassVar[str]
    """Key of its chart on the page, and name of its files."""
    about: ClassVar[str] = ""
    """What it shows, in a few words."""
    topic: ClassVar[str] = ""
    """What its script recomputes, where that depends on the picture, which is {0} in it; no full stop."""
    note: ClassVar[str] = ""
    """What keeps the numbers of its script from being the same, in a sentence; empty where nothing does."""

    def __init_subclass__(cls, **how: Any) -> None:
        super().__init_subclass__(**how)
        if "name" in cls.__dict__:
            cls.chart = cls.__dict__.get("chart", cls.name)

    def __post_init__(self) -> None:
        if "data" in self.shown_things():  # a fold stands for its training part
            object.__setattr__(self, "data", training_part(self.data))  # type: ignore[attr-defined]
        self.check()

    def check(self) -> None:
        """Refuse arguments that cannot be used, before any work.

        Raises
        ------
        ValueError
            If an option cannot be used; a subclass says which errors it adds.
        """
        for name, declared in self.options().items():
            if declared.titles and (value := getattr(self, name)) not in declared.titles:
                refuse(True, f"{name} is one of {', '.join(map(repr, declared.titles))}, not {value!r}")

    def needs(self) -> Mapping[str, Ingredient[Any]]:
        """The results that `result` is given, by name."""
        return {}

    def result(self, needed: Mapping[str, Any]) -> Found:
        """Compute the numbers; ``needed`` has what `needs` names. By itself they are the only thing that is needed."""
        (found,) = needed.values()
        return cast("Found", found)

    @abstractmethod
    def rows(self, found: Found) -> pd.DataFrame:
        """The numbers as the table beneath the picture."""

    @abstractmethod
    def words(self, found: Found) -> Words:
        """What the picture says."""

    def titled(self, sentence: str, drawn: str, brief: str) -> Words:
        """The sentence as title over what is ``drawn``; the ``brief`` title where the page has the sentence."""
        return Words(brief, "", sentence) if self.headed else Words(sentence, drawn, sentence)

    @abstractmethod
    def drawing(self, found: Found, words: Words) -> go.Figure:
        """Draw the numbers."""

    def moves(self, found: Found, hand: Hand, beside: Sequence[Hand] = ()) -> Drag | None:
        """What moves while the reader drags C along the path ``hand``, and ``beside`` it; None where nothing does."""
        return None

    def without_choice(self) -> Self:
        """The picture without marks of the chosen C, for a page on which only `moves` shows it."""
        return self

    def subject(self) -> str:
        """What its script recomputes, for the head of the script; no full stop."""
        return self.topic.format(self) or self.about

    @property
    def chart_key(self) -> str:
        """The key of this picture's chart; where a page shows several of the class, it tells them apart."""
        return self.chart

    @property
    def where_words(self) -> str:
        """Which data it is, as the page says it; by itself the name of the fold of what is looked at."""
        return self.where or self.shown_fold.name

    @property
    def shown_fold(self) -> Fold:
        """The fold of what is looked at."""
        shown = getattr(self, self.shown_things()[0])
        first = shown[0] if isinstance(shown, Sequence) else shown
        fold: Fold = first if isinstance(first, Fold) else first.fold
        return fold

    # What follows from the declaration

    @classmethod
    @cache
    def options(cls) -> dict[str, Option]:
        """What is declared of each option, by name."""
        declared: tuple[Field[Any], ...] = fields(cls)
        found = {one.name: one.metadata.get(_OPTION) for one in declared}
        return {name: one for name, one in found.items() if isinstance(one, Option)}

    @classmethod
    def controls(cls) -> dict[str, str]:
        """The options with a control, and the keys of these."""
        return {name: one.key or f"{cls.chart}_{name}" for name, one in cls.options().items() if one.label}

    @classmethod
    def read(cls, texts: Mapping[str, str]) -> dict[str, Any]:
        """Return the values of options that have a control, each given as text: as it is called, or by its title.

        Raises
        ------
        ValueError
            If there is no such option, or no such value of it.
        """
        values: dict[str, Any] = {}
        for name, text in texts.items():
            why = f"there is no option {name!r} of this picture; there is {', '.join(cls.controls()) or 'none'}"
            refuse(name not in cls.controls(), why)
            declared, usual = cls.options()[name], cls.default(name)
            titles = declared.titles or ({True: "yes", False: "no"} if isinstance(usual, bool) else {})
            named = [value for value, title in titles.items() if text.casefold() in (str(value).casefold(), title)]
            refuse(titles and not named, f"{name} is one of {', '.join(map(str, titles))}, not {text!r}")
            values[name] = named[0] if named else type(usual)(text)
        return values

    @property
    def of_dataset(self) -> bool:
        """Whether it shows all folds of a dataset, whose content its digests do not read."""
        return any(_has_dataset(getattr(self, name)) for name in self.shown_things())

    @classmethod
    @cache
    def shown_things(cls) -> list[str]:
        """The names of the positional fields: what is looked at."""
        return [one.name for one in fields(cls) if not one.kw_only]

    @classmethod
    def default(cls, name: str) -> Any:
        """The default of an option."""
        (found,) = (one.default for one in fields(cls) if one.name == name)
        return None if found is MISSING else found

    @property
    def numbers_key(self) -> bytes:
        """The digest of everything that the numbers depend on but results that are handed in."""
        looks = {name for name, declared in self.options().items() if declared.looks}
        return self._digest([name for name in (*self.shown_things(), *self.options()) if name not in looks])

    @cached_property
    def fingerprint(self) -> bytes:
        """The digest of everything that is drawn but results that are handed in."""
        return self._digest([one.name for one in fields(self) if one.name != "_"])

    def _digest(self, names: Sequence[str]) -> bytes:
        return content_key(type(self), [(name, _content(getattr(self, name))) for name in names])

    @cached_property
    def found(self) -> Found:
        """The numbers, computed when they are first asked for."""
        return self.result({name: ingredient.made() for name, ingredient in self.needs().items()})

    @cached_property
    def figure(self) -> go.Figure:
        """The plotly figure."""
        return self.drawing(self.found, self.words(self.found))

    @cached_property
    def table(self) -> pd.DataFrame:
        """The same numbers as the table that the app offers beneath the picture."""
        return self.rows(self.found)

    def show(self) -> None:
        """Open the figure in a browser, or draw it in a notebook."""
        self.figure.show()

    def save(self, name: str | Path) -> None:
        """Write the table to ``name``.csv with every digit, and the interactive figure to ``name``.html."""
        Path(f"{name}.csv").write_text(frame_csv(self.table), encoding="utf-8", newline="")
        self.figure.write_html(f"{name}.html")

    def _repr_html_(self) -> str:
        drawn: str = self.figure.to_html(full_html=False, include_plotlyjs="cdn")
        return drawn
