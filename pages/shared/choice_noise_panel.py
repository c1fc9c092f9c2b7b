"""How much of a difference between methods is the draw of the validation queries: cloud, crosses, and other rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.analysis.choosing import ONE_LIST, RULE_TITLES, RULE_WORDS, RULES, ChoiceRule
from core.analysis.evaluation import FoldJudge
from core.analysis.path import PathPoint
from core.analysis.tuning.choice_noise import RESAMPLES, PathChoice, PathNoise, path_choice
from core.api.solver_tables import choice_noise_table
from core.data.nouns import Nouns
from core.export.scripts.choosing import choice_noise_script
from core.figures.look.style import short
from core.figures.path.choice_noise import NoisyChoice, choice_noise_figure
from pages.shared import scripts
from pages.shared.cache import cached
from pages.shared.choice.choice import Loaded
from pages.shared.live_chart import live_chart
from pages.shared.wording import PART_WORDS

RULES_HELP = "\n\n".join(f"**{rule}** ({RULE_TITLES[rule]}): {RULE_WORDS[rule]}" for rule in RULES)
RULES_HELP_OF_CLASSES = (
    "**best** (best on validation): the papers' rule. The other rules ask how much several lists differ, and here is "
    "one."
)


@cached(says="Resampling queries …")
def choice_of(points: Sequence[PathPoint], judge: FoldJudge, measure: str, rule: ChoiceRule) -> PathChoice:
    """What a rule takes of a complete path."""
    return path_choice(points, judge, measure, rule)


def noise_sentence(noise: PathNoise | None, measure: str, nouns: Nouns) -> str:
    """How much of the choice is the draw of the validation queries."""
    if nouns.by_class:
        return (
            "**How much depends on the validation rows?** That is not known: they are one list and cannot be resampled."
        )
    if noise is None:
        return f"**How much depends on the validation queries?** {ONE_LIST[0].upper()}{ONE_LIST[1:]}."
    low, _, high = noise.c
    found, kept = noise.reported[measure], noise.n_features
    return (
        f"**How much depends on the validation queries?** With these resampled {len(noise.noise.drawn)} times, nine "
        f"in ten choices lie between C = {short(low)} and {short(high)}: **{kept.mean:.1f} ± {kept.deviation:.1f} "
        f"features**, {PART_WORDS[noise.part]} {measure} **{found.mean:.4f} ± {found.deviation:.4f}**."
    )


def choice_noise_panel(
    choice: Loaded, paths: Mapping[str, Sequence[PathPoint]], measure: str, titles: Mapping[str, str]
) -> None:
    """Draw the panel for complete paths of one fold; nothing where it has no validation part."""
    drawn = {method: points for method, points in paths.items() if points}
    if choice.fold.vali is None or not drawn:
        return
    box = st.expander(
        "How much of a difference is due to the choice of C?",
        icon=":material/casino:",
        key="choice_noise",
        on_change="rerun",
    )
    if not box.open:  # choosing again by every rule takes a moment that nobody else has to wait for
        return
    with box:
        if choice.fold.vali.n_queries < 2:
            st.markdown(noise_sentence(None, measure, choice.nouns))
            return
        found = {
            method: {rule: _noise(choice, points, measure, rule) for rule in RULES} for method, points in drawn.items()
        }
        clouds = {method: NoisyChoice(titles[method], drawn[method], found[method]["best"]) for method in drawn}
        title = _title(clouds, measure)
        figure = choice_noise_figure(
            clouds,
            measure,
            convention=choice.convention,
            title=title,
            subtitle=f"{choice.where} · C chosen by {measure} on {RESAMPLES} resamples of the validation queries",
        )
        table = choice_noise_table(drawn, found, measure, titles)
        methods = [scripts.method_of(choice, method) for method in drawn]
        script = choice_noise_script(scripts.chosen_data(choice), methods, measure=measure)
        live_chart(figure, "choice_noise", alt=title, table=table, script=script)
        st.caption(
            "Discs: models that are chosen at least once, as large as their share of the choices. Dot with bars: "
            "their mean and ± one standard deviation. ×: the choice on the validation part as it is, which a single "
            "table would print. The table has the same for each rule. "
            + " ".join(f"*{RULE_TITLES[rule].capitalize()}*: {RULE_WORDS[rule]}" for rule in RULES)
        )


def _noise(choice: Loaded, points: Sequence[PathPoint], measure: str, rule: ChoiceRule) -> PathNoise:
    noise = choice_of(points, choice.judge, measure, rule).noise
    assert noise is not None
    return noise


def _title(clouds: Mapping[str, NoisyChoice], measure: str) -> str:
    moved = [cloud.noise.reported[measure].deviation for cloud in clouds.values()]
    kept = [cloud.noise.n_features.deviation for cloud in clouds.values()]
    part = PART_WORDS[next(iter(clouds.values())).noise.part]
    return (
        f"Choosing C on other validation queries moves {part} {measure} by ± {_range(moved, 4)} and the features kept "
        f"by ± {_range(kept, 1)}"
    )


def _range(values: Sequence[float], digits: int) -> str:
    low, high = f"{min(values):.{digits}f}", f"{max(values):.{digits}f}"
    return low if low == high else f"{low} to {high}"
