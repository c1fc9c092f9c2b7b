"""The four pictures of the Lab with what is said over each, for its page and for a saved one."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from core.analysis.path_frames import Frame, counts_among
from core.figures.lab.lab_drag import ALONE_ON
from core.figures.lab.views import LabViews
from core.figures.look.style import certificate_name, seconds
from core.figures.path.tuning import PART_TITLES
from core.figures.picture import said
from core.names.counted import counted, features
from core.names.numbers import short
from core.solvers import FitResult

STAR, MODEL, RING = "★", "●", "○"
"""Marks as words name them: the best on validation, the chosen model, that of the method beside."""


def filled_words(filled: str, kept: str) -> str:
    """Say how many of the kept features have a row, where they are filled; numbers may be ranges."""
    if kept == "0":
        return "no feature is kept"
    if filled == kept:
        return "the one kept is filled" if kept == "1" else f"all {kept} kept are filled"
    return f"{filled} of {kept} kept {'has' if filled == '1' else 'have'} a row here, filled"


def convergence_words(result: FitResult, *, ended: bool) -> str:
    """What a fit has reached, as HTML."""
    found = result.certificate
    label = html.escape(certificate_name(found.kind, found.among))
    steps = counted(result.steps, "step")
    reached = f"{label} {short(found.relative)}"
    first = next((point.step for point in result.trace if not point.provisional), 0)
    late = f" · known from step {first} on" if first > 0 else ""
    return f"{reached} in {steps}, {seconds(result.seconds)}{late}" if ended else f"{reached} after {steps}"


def reading(name: str, texts: Mapping[str, str]) -> str:
    """A text that changes as the reader drags C, as HTML."""
    return f'<b data-reading="{name}">{html.escape(texts[name])}</b>'


class LabPictures(LabViews):
    """The four pictures of the Lab with what is said of each."""

    def without_choice(self) -> LabPictures:
        """The pictures without the line of the chosen C, for a page on which only the handle shows it."""
        return replace(self, ratio=None)

    @property
    def alts(self) -> dict[str, str]:
        """What screen readers say of path, trade-off, features and convergence, by their names."""
        where = f"{PART_TITLES[self.part]} {self.measure} against features kept"
        alone = f"{PART_TITLES[ALONE_ON]} {self.measure} of single features"
        return {
            "path": f"Regularization path of {self.title}; the line is the chosen C, the star the best on validation.",
            "tradeoff": f"{where}, of {', '.join(self.titles.values())}.",
            "features": f"{alone}; those that {self.title} keeps are filled.",
            "convergence": f"The certificate of the fit of {self.title} against its steps.",
        }

    def readings(self, rows: Sequence[int] = ()) -> Callable[[Frame], dict[str, str]]:
        """Return the function from a frame to the texts in `path_words`, `tradeoff_words` and `features_words`.

        ``rows`` are the columns of the features with a row, where they are known.
        """
        between: dict[float, str] = {}

        def texts(shown: Frame) -> dict[str, str]:
            told = {
                "lab-kept": features(shown.size),
                "lab-value": f"{shown.judgement.metrics[self.part][self.measure]:.4f}",
            }
            if rows:
                filled = str(sum(bool(shown.weights[j]) for j in rows))
                if shown.fewest is not None and not between:
                    between.update(counts_among(self.drags.hand.frames, rows))
                told["lab-filled"] = filled_words(filled if shown.fewest is None else between[shown.c], shown.size)
            return told

        return texts

    def path_words(self, texts: Mapping[str, str]) -> str:
        """What is seen in the path, as HTML, with a key; ``texts`` are the `readings` of the chosen model."""
        return said(
            f"{reading('lab-kept', texts)} kept under the line",
            "" if self.best is None else f"{STAR} best on validation",
            f"thin: {self.other}" if self.other else "",
        )

    def tradeoff_words(self, texts: Mapping[str, str]) -> str:
        """What is seen in the trade-off, as HTML, with a key."""
        return said(
            f"{MODEL} {reading('lab-value', texts)} with {reading('lab-kept', texts)}",
            "" if self.best is None else f"line: validation's picks · {STAR} of all",
            f"{RING} {self.other}" if self.other else "",
        )

    def features_words(self, texts: Mapping[str, str]) -> str:
        """What is seen of the features, as HTML, with a key."""
        return said(reading("lab-filled", texts), f"large ring: {self.other}" if self.other else "")

    @property
    def other(self) -> str:
        """The title of the method beside as HTML; empty where there is none."""
        return html.escape(self.titles[self.beside[0].fit.method]) if self.beside else ""
