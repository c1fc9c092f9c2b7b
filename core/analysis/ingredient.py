"""Results that pictures need and that take work: values which name all that they are made from."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

from core.content import text_key
from core.work import Work

Made = TypeVar("Made")
Asked = ParamSpec("Asked")


class Ingredient(ABC, Generic[Made]):
    """A result that takes work in steps; a subclass is a frozen dataclass of what the result is made from.

    The notebook does the work where it is asked for (`made`). The app shares it between visitors as a job with the
    ingredient's `key`.
    """

    what: str
    """What is being computed, in words to stand before "12 of 46"."""

    @property
    def key(self) -> str:
        """The digest of everything that the result depends on: equal for equal results, in every session."""
        return f"{type(self).__name__}-{text_key(self)}"

    @property
    def in_steps(self) -> bool:
        """Whether it takes long enough for steps, with progress and Stop."""
        return True

    @abstractmethod
    def work(self) -> Work | None:
        """Prepare the work; None where the result is not computed in steps."""

    @abstractmethod
    def result(self, run: Any) -> Made:
        """The result of finished work that `work` has prepared, or of None."""

    def made(self) -> Made:
        """Do all the work, and return the result."""
        run = self.work()
        while run is not None and not run.done:
            run.advance()
        return self.result(run)


@dataclass(frozen=True, eq=False)
class AtOnce(Ingredient[Made]):
    """A result that is made at once: it takes a second or two, in which a page waits for it.

    Attributes
    ----------
    make : callable
        A function of a module with all that it takes.
    """

    make: partial[Made]
    what: str

    @property
    def in_steps(self) -> bool:
        """False."""
        return False

    def work(self) -> None:
        """Nothing to do in steps."""

    def result(self, run: object = None) -> Made:
        """Make it."""
        return self.make()


class AtOnceOf(Generic[Asked, Made]):
    """A function whose results are ingredients, too; see `made_at_once`. Neither can be pickled."""

    def __init__(self, function: Callable[Asked, Made], what: str) -> None:
        update_wrapper(self, function)
        self._function, self._what = function, what

    def __call__(self, *args: Asked.args, **kwargs: Asked.kwargs) -> Made:
        """The result."""
        return self._function(*args, **kwargs)

    def of(self, *args: Asked.args, **kwargs: Asked.kwargs) -> AtOnce[Made]:
        """The result as an ingredient."""
        return AtOnce(partial(self._function, *args, **kwargs), self._what)

    def makes(self, ingredient: AtOnce[Any]) -> bool:
        """Whether an ingredient is one of these."""
        return ingredient.make.func is self._function


def made_at_once(what: str) -> Callable[[Callable[Asked, Made]], AtOnceOf[Asked, Made]]:
    """Decorator: a function of a module whose results pictures need, ``function.of(...)``, and that is called as it is.

    Parameters
    ----------
    what : str
        As `Ingredient.what`.
    """
    return lambda function: AtOnceOf(function, what)
