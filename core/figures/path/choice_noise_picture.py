"""The picture of how much of a difference between methods is due to the choice of C."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.analysis.choosing import ONE_LIST, RULE_TITLES, no_validation_part
from core.analysis.fold_models import FoldPath, one_fold
from core.analysis.tuning.choice_noise import RESAMPLES
from core.analysis.tuning.noise_by_rule import NoiseByRule, NoisyPath
from core.figures.path.choice_noise import NoisyChoice, choice_noise_figure
from core.figures.path.tuning import PART_WORDS
from core.figures.picture import Picture, Words, aside, option, said
from core.methods import get_method
from core.metrics import Measure

Noisy = Mapping[str, NoisyPath]
"""Of every method, by its id."""


@dataclass(frozen=True, eq=False)
class ChoiceNoisePicture(Picture[Noisy]):
    """Draw how much of a difference between methods is the draw of the validation queries.

    The table has a row a method and rule.

    Parameters
    ----------
    paths : sequence of ModelPath
        Of one fold with a validation part, each of another method.
    measure : str
        That chooses.

    Raises
    ------
    DataError
        If there is no validation part.
    ValueError
        If the validation part is a single list, which cannot be resampled, two paths are of one method, or there is no
        such measure.
    """

    paths: Sequence[FoldPath]
    _: KW_ONLY
    measure: str = option("MAP")
    where: str = aside("")

    name = "choice_noise"

    def check(self) -> None:
        super().check()
        Measure.parse(self.measure)
        fold, _ = one_fold(self.paths)
        if fold.vali is None:
            raise no_validation_part()
        if fold.vali.n_queries < 2:
            raise ValueError(ONE_LIST)
        methods = [path.method for path in self.paths]
        twice = [method for method in methods if methods.count(method) > 1]
        if twice:
            msg = f"give one path of each method; {get_method(twice[0]).title} has {methods.count(twice[0])}"
            raise ValueError(msg)

    @property
    def measured(self) -> str:
        """The measure that chooses, in its usual spelling."""
        return str(Measure.parse(self.measure))

    @property
    def titles(self) -> dict[str, str]:
        """Names of the methods."""
        return {path.method: get_method(path.method).title for path in self.paths}

    def subject(self) -> str:
        return f"Noise of the choice of C by {self.measured}, of {', '.join(self.titles.values())}"

    def needs(self) -> dict[str, NoiseByRule]:
        fold, convention = one_fold(self.paths)
        return {path.method: NoiseByRule(path.points, fold, convention, self.measured) for path in self.paths}

    def result(self, needed: Mapping[str, Any]) -> Noisy:
        return {path.method: needed[path.method] for path in self.paths}

    def rows(self, found: Noisy) -> pd.DataFrame:
        """The model that a rule takes, and its choices on resampled validation queries."""
        name, rows = self.measured, []
        for method, path in found.items():
            for rule, noise in path.noise.items():
                chosen, over = path.points[noise.noise.chosen], noise.reported[name]
                rows.append(
                    {
                        "method": self.titles[method],
                        "rule": RULE_TITLES[rule],
                        "features": chosen.fit.result.nonzero,
                        f"{name}, {PART_WORDS[noise.part]}": chosen.metrics[noise.part][name],
                        "features, mean": noise.n_features.mean,
                        "features ± choice": noise.n_features.deviation,
                        "error of features ±": noise.n_features.deviation_error,
                        f"{name}, mean": over.mean,
                        f"{name} ± choice": over.deviation,
                        f"error of {name} ±": over.deviation_error,
                        "C, 5 %": noise.c[0],
                        "C, 95 %": noise.c[2],
                    }
                )
        return pd.DataFrame(rows)

    def words(self, found: Noisy) -> Words:
        fold, _ = one_fold(self.paths)
        noises = [path.noise["best"] for path in found.values()]
        moved = _range([noise.reported[self.measured].deviation for noise in noises], 4)
        kept = _range([noise.n_features.deviation for noise in noises], 1)
        title = (
            f"Choosing C on other validation queries moves {PART_WORDS[noises[0].part]} {self.measured} by ± {moved} "
            f"and the features kept by ± {kept}"
        )
        how = f"C chosen by {self.measured} on {RESAMPLES} resamples of the validation queries"
        return Words(title, said(self.where or fold.name, how), title)

    def drawing(self, found: Noisy, words: Words) -> go.Figure:
        _, convention = one_fold(self.paths)
        return choice_noise_figure(
            {
                method: NoisyChoice(self.titles[method], path.points, path.noise["best"])
                for method, path in found.items()
            },
            self.measured,
            convention=convention,
            title=words.title,
            subtitle=words.subtitle,
        )


def _range(values: Sequence[float], digits: int) -> str:
    low, high = f"{min(values):.{digits}f}", f"{max(values):.{digits}f}"
    return low if low == high else f"{low} to {high}"
