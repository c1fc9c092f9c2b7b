"""Results that pictures need and that take work: values which name all that they are made from."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, TypeVar

from core.content import text_key
from core.work import Work

Made = TypeVar("Made")


class Ingredient(ABC, Generic[Made]):
    """A result that takes work in steps; a subclass is a frozen dataclass of what the result is made from.

    The notebook does the work where it is asked for (`made`). The app shares it between visitors as a job with the
    ingredient's `key`.
    """

    what: ClassVar[str]
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


class AtOnce(Ingredient[Made], ABC):
    """A result that is made at once: it takes a second or two, in which a page waits for it."""

    @property
    def in_steps(self) -> bool:
        """False."""
        return False

    def work(self) -> None:
        """Nothing to do in steps."""
