"""What is chosen: as a plain value to keep and compare, and together with the data that it names."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import Any

from core.analysis.evaluation import FoldJudge
from core.analysis.features.rules import Rules
from core.analysis.path import PathPoint
from core.cli.options import HUGE, TINY
from core.data import Convention, Fold, Reading
from core.data.nouns import Nouns, nouns_of
from core.data.numbers import read_number
from core.data.reading import AS_IT_STANDS
from core.methods import Method, MethodRun, Training, get_method
from core.methods.registry import model_title
from core.methods.training import lam_of_c
from core.models import Model, ModelPath
from core.solvers import Stop

STEPS_A_DECADE = 20
LOWEST_DECADE = 5
LAST_STEP = LOWEST_DECADE * STEPS_A_DECADE
DEFAULT_STEP = 30  # lambda / lambda_max = 10^-1.5


@dataclass(frozen=True)
class Source:
    """Everything that decides what data is read."""

    name: str  # the dataset's name in the sidebar's list
    upload: str = ""  # the sha256 of an uploaded file's content, empty for a dataset of the catalogue
    reading: Reading = AS_IT_STANDS  # how the data is read

    @property
    def file_name(self) -> str:
        """The name under which this visitor gave the upload; another one may have given the same content."""
        return self.name.removesuffix(_suffix(self.upload))

    def read(self, **options: Any) -> Source:
        """Return the same data with these options of `Reading` changed."""
        return replace(self, reading=replace(self.reading, **options))


def upload_label(name: str, digest: str) -> str:
    """What an upload is called in the list of datasets, and in links."""
    return f"{name}{_suffix(digest)}"


def _suffix(digest: str) -> str:
    return f" · {digest[:10]}"


@dataclass(frozen=True)
class Regularization:
    """The weight of a penalty, for the loss of one method on one training part."""

    lam: float
    lam_max: float = field(compare=False)  # the smallest lambda at which the l1 model is empty
    n_terms: int = field(compare=False)  # of the loss: C = 1 / (lambda n_terms)

    @classmethod
    def of(cls, training: Training, lam: float) -> Regularization:
        """A lambda for these training data."""
        return cls(lam, training.lam_max, training.n_terms)

    @classmethod
    def at_step(cls, training: Training, step: int) -> Regularization:
        """A step of the slider.

        Raises
        ------
        DataError
            If lambda_max is 0; an `EmptyOptimumError` if that is a result and not an error in the data.
        """
        return cls.of(training, training.lam_at(ratio_at(step)))

    @property
    def c(self) -> float:
        """C."""
        return 1.0 / (self.lam * self.n_terms)

    @property
    def ratio(self) -> float:
        """lambda / lambda_max."""
        return self.lam / self.lam_max

    @property
    def step(self) -> int:
        """The nearest one of the slider."""
        return step_at(min(max(self.ratio, ratio_at(LAST_STEP)), 1.0))

    def at_c(self, c: float) -> Regularization:
        """The same data at another C.

        Raises
        ------
        ValueError
            If C is not a positive number, or beyond the range of double precision.
        """
        return replace(self, lam=lam_of_c(c, self.n_terms))


def read_c(text: str) -> float:
    """C as a person or a link writes it, with a decimal point or comma; the range is the command line's.

    Raises
    ------
    ValueError
        If it is not a number from `TINY` to `HUGE`.
    """
    c = read_number(text.replace(",", "."))
    if TINY <= c <= HUGE:
        return c
    msg = f"C is a number from {TINY:g} to {HUGE:g}, not {text!r}"
    raise ValueError(msg)


def ratio_at(step: int) -> float:
    """lambda / lambda_max at a step of the slider."""
    return float(10.0 ** (-step / STEPS_A_DECADE))


def step_at(ratio: float) -> int:
    """The slider's step nearest to a ratio.

    Raises
    ------
    ValueError
        If it is not a positive number.
    OverflowError
        If it is infinite.
    """
    return min(max(round(-STEPS_A_DECADE * math.log10(ratio)), 0), LAST_STEP)


@dataclass(frozen=True)
class Choice:
    """What to fit, on what data, and how. It is cheap to hash, pickle and keep, because it holds no data.

    ``fingerprint`` is that of the fold with all its parts. ``rules`` are those for features: switches and costs.
    """

    source: Source
    fold_number: int
    convention: Convention
    fingerprint: str
    method_id: str
    solver_id: str
    parameters: tuple[tuple[str, float], ...]
    regularization: Regularization
    tol: float
    rules: Rules

    @property
    def lam(self) -> float:
        """lambda, the weight of the penalty."""
        return self.regularization.lam

    @property
    def c(self) -> float:
        """C."""
        return self.regularization.c

    @property
    def ratio(self) -> float:
        """lambda / lambda_max."""
        return self.regularization.ratio

    @property
    def method(self) -> Method:
        """Under the rules."""
        return self.method_under_rules(self.method_id)

    def method_under_rules(self, method_id: str) -> Method:
        """Any method, as it is fitted beside the chosen one."""
        return self.rules.applied(get_method(method_id))

    @cached_property
    def title(self) -> str:
        """The title of the method's models with these parameters."""
        return model_title(self.method, dict(self.parameters))

    @property
    def stop(self) -> Stop:
        method = self.method
        return method.stop_at(None if self.tol == method.stop.tol else self.tol)

    @cached_property
    def key(self) -> str:
        """A digest of problem, solver and accuracy; it is the same in every session."""
        parts = (self.fingerprint, self.convention, self.method_id, self.solver_id, self.parameters, self.lam, self.tol)
        return hashlib.sha256(repr((*parts, self.rules_for(self.method_id))).encode()).hexdigest()

    @cached_property
    def rules_words(self) -> str:
        """What a person has set for features, in a few words; empty where it changes nothing here."""
        rules = self.rules_for(self.method_id)
        return "" if rules is None else rules.words

    def rules_for(self, method_id: str) -> Rules | None:
        """The rules that change a method's models; None where none does: one that keeps every feature knows none."""
        return self.rules if self.rules.active and get_method(method_id).separable else None


@dataclass(frozen=True)
class LoadedData:
    """The data that a choice names, as plain objects of core."""

    fold: Fold = field(repr=False, compare=False)
    # Training data of the chosen method with the chosen parameters.
    training: Training = field(repr=False, compare=False)
    judge: FoldJudge = field(repr=False, compare=False)
    where: str = field(compare=False)  # dataset and fold in words


@dataclass(frozen=True)
class Loaded(LoadedData, Choice):
    """A choice with the data that it names: a worker may have it.

    A run of a page loads it once (`pages.shared.choice.access.load`) and passes it down. It is not for keeping:
    `alone` is.
    """

    @property
    def nouns(self) -> Nouns:
        """The words for what the data holds."""
        return nouns_of(self.fold.train)

    def fold_path(self, points: tuple[PathPoint, ...]) -> ModelPath:
        """A path on its fold, as pictures take it."""
        return ModelPath(points, self.fold, self.convention)

    def fold_model(self, point: PathPoint) -> Model:
        """A model of a path on its fold, as pictures take it."""
        rules = self.rules_for(point.fit.method)
        return Model(point.fit, self.fold, point.judgement, self.convention, rules=rules)

    @property
    def from_zero(self) -> Callable[[], MethodRun]:
        """What begins its fit, as another process can have it: made of core's objects, without those of pages."""
        parameters = dict(self.parameters)
        return partial(
            self.method.run, self.training, self.lam, solver=self.solver_id, parameters=parameters, stop=self.stop
        )

    @property
    def refusal(self) -> str:
        """Why no solver of the choice takes its signs of weights, in a sentence without a full stop; else empty."""
        if self.rules_for(self.method_id) is None or not self.rules.signed:
            return ""
        try:
            self.method.run(self.training, self.lam, solver=self.solver_id, parameters=dict(self.parameters))
        except ValueError as error:
            return str(error)
        return ""

    @classmethod
    def of(cls, choice: Choice, data: LoadedData) -> Loaded:
        """A choice with the data that it names."""
        return cls(
            **{each.name: getattr(choice, each.name) for each in fields(Choice)},
            **{each.name: getattr(data, each.name) for each in fields(LoadedData)},
        )

    @property
    def alone(self) -> Choice:
        """The choice without its data."""
        return Choice(**{each.name: getattr(self, each.name) for each in fields(Choice)})
