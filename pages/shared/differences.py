"""What models of the chosen data are compared with, each worked out once: every page quotes the same numbers.

And how much of a difference between methods is the draw of the validation queries: cloud, crosses, and other rules. The
margin within which two methods count as equivalent is one for all pages.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.analysis.choosing import FEWEST_QUERIES, NOT_KNOWN, RULE_TITLES, RULE_WORDS, RULES
from core.analysis.convergence import Optimum, certified_optimum
from core.analysis.evaluation import FloatArray
from core.analysis.path import PathPoint
from core.analysis.tradeoff.best_single_feature import SingleFeatureReference, best_single_feature
from core.analysis.tuning.choice_noise import PathNoise
from core.content import Series
from core.data.nouns import Nouns
from core.experiments.results.choice_comparison import DEFAULT_MARGIN, MOST_MARGIN
from core.experiments.results.difference import Difference, model_difference
from core.figures.path.choice_noise_picture import ChoiceNoisePicture
from core.methods import Training
from core.names.numbers import short
from pages.shared import keys
from pages.shared.cache import cached
from pages.shared.choice.choice import Choice, Loaded
from pages.shared.lazy import lazy_expander
from pages.shared.show import chosen_data, method_of, show
from pages.shared.wording import PART_WORDS
from pages.shared.work.stepwise import at_once

_difference = cached()(model_difference)


def difference(choice: Loaded, model: FloatArray, other: FloatArray, part: str, measure: str) -> Difference:
    """The first model's mean minus the other's on a part of the chosen fold, with its interval over queries."""
    return _difference(choice.judge, model, other, part, measure)


def optimum_of(choice: Choice, training: Training) -> Optimum:
    """What is known of the lowest objective of a choice, whose training data these are."""
    rules = choice.rules_for(choice.method_id)
    return at_once(certified_optimum.of(training, choice.method_id, choice.lam, dict(choice.parameters), rules))


def best_single(choice: Loaded, measure: str) -> SingleFeatureReference:
    """The feature that ranks the training part best alone, with its values on every part."""
    return at_once(best_single_feature.of(choice.fold, choice.convention, measure))


RULES_HELP = "\n\n".join(f"**{rule}** ({RULE_TITLES[rule]}): {RULE_WORDS[rule]}" for rule in RULES)
RULES_HELP_OF_CLASSES = (
    "**best** (best on validation): the papers' rule. The other rules ask how much several lists differ, and here is "
    "one."
)


def noise_sentence(noise: PathNoise | None, measure: str, nouns: Nouns) -> str:
    """How much of the choice is the draw of the validation queries."""
    if nouns.by_class:
        return (
            "**How much depends on the validation rows?** That is not known: they are one list and cannot be resampled."
        )
    if noise is None:
        return f"**How much depends on the validation queries?** {NOT_KNOWN[0].upper()}{NOT_KNOWN[1:]}."
    low, _, high = noise.c
    found, kept = noise.reported[measure], noise.n_features
    return (
        f"**How much depends on the validation queries?** With these resampled {len(noise.noise.drawn)} times, nine "
        f"in ten choices lie between C = {short(low)} and {short(high)}: **{kept.mean:.1f} ± {kept.deviation:.1f} "
        f"features**, {PART_WORDS[noise.part]} {measure} **{found.mean:.4f} ± {found.deviation:.4f}**."
    )


def choice_noise_panel(choice: Loaded, paths: Mapping[str, Series[PathPoint]], measure: str, margin: float) -> None:
    """Draw the panel for complete paths of one fold; nothing where it has no validation part.

    Methods are compared with the first; ``margin`` is that within which they are equivalent.
    """
    drawn = {method: points for method, points in paths.items() if points}
    if choice.fold.vali is None or not drawn:
        return
    lazy_expander(
        "How much of a difference is due to the choice of C, and which methods are equivalent?",
        lambda: _noise(choice, drawn, measure, margin),
        key="choice_noise",
        icon=":material/casino:",
    )


def _noise(choice: Loaded, drawn: Mapping[str, Series[PathPoint]], measure: str, margin: float) -> None:
    """Draw the choices by every rule, or say in a sentence that validation queries are too few, or cannot tell."""
    assert choice.fold.vali is not None
    on_validation = [{point.metrics["vali"][measure] for point in points} for points in drawn.values()]
    if choice.fold.vali.n_queries < FEWEST_QUERIES or any(len(values) == 1 for values in on_validation):
        st.markdown(noise_sentence(None, measure, choice.nouns))
        return
    whole = [choice.fold_path(points) for points in drawn.values()]
    show(
        ChoiceNoisePicture(whole, measure=measure, margin=margin, where=choice.where),
        chosen_data(choice),
        choice.fold,
        fits=lambda: {"paths": [method_of(choice, method) for method in drawn]},
    )
    st.caption(
        "Discs: models that are chosen at least once, as large as their share of the choices. Dot with bars: "
        "their mean and ± one standard deviation. ×: the choice on the validation part as it is, which a single "
        "table would print. The table has the same for each rule, and compares every method with the first: "
        "equivalent if the 90 % interval of their difference, with C chosen and the queries drawn again, lies within "
        "the margin (set under More), different if the 95 % interval excludes 0. "
        + " ".join(f"*{RULE_TITLES[rule].capitalize()}*: {RULE_WORDS[rule]}" for rule in RULES)
    )


def margin_control() -> float:
    """Let a person set the margin."""
    return float(
        st.number_input(
            "Equivalent within ±",
            0.0,
            MOST_MARGIN,
            DEFAULT_MARGIN,
            0.005,
            key=keys.MARGIN,
            bind="query-params",
            persist_state="session",
            format="%g",
            help="A difference of MAP or NDCG@10 that makes no difference to you, as it is and not in per cent. Two "
            "methods are equivalent if the 90 % interval of their difference, the choice of C included, lies within "
            "it. That a test finds no difference does not show that there is none.",
        )
    )
