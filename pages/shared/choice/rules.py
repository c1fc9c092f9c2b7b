"""Rules for features in the choice: kept by the session, written to the address, undone like the rest; their controls.

Features are off, forced in, or of one sign, and each has a cost.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from core.analysis.features.rules import RULE_NAMES, Rules, read_costs, read_rules, write_costs
from core.content import text_key
from core.data import DataError
from core.methods import Fit, Method
from core.names.plain import in_markdown
from pages.shared import keys
from pages.shared.choice import address
from pages.shared.choice.choice import Choice, Source
from pages.shared.controls import download
from pages.shared.live_chart import clicked

_KEYS = dict(zip(RULE_NAMES, keys.RULES, strict=True))
_OF_OTHER_DATA = "rules_of_other_data"
Texts = Mapping[str, str]
NONE: Texts = dict.fromkeys(RULE_NAMES, "")


@dataclass(frozen=True)
class _Seen:
    """Of which data the session's rules are."""

    data: tuple[str, str]
    names: tuple[str, ...]
    texts: Texts


def choose_rules(source: Source, names: Sequence[str]) -> Rules:
    """The rules for the chosen data; a link's for a new visitor, and none for data that never had any."""
    data, names = (source.name, source.upload), tuple(names)
    given = _go_over_to(data, names, {name: address.read(key, "") for name, key in _KEYS.items()})
    rules, problem = read_rules(given, len(names))
    if problem:
        st.session_state[keys.RULES_NOTE] = problem
    texts = rules.texts()
    if texts != given:
        _keep(texts)
    st.session_state[keys.RULES_SEEN] = _Seen(data, names, texts)
    st.session_state[keys.RULES_OF] = _mark(names) if any(texts.values()) else ""
    for key in (*_KEYS.values(), keys.RULES_OF):
        address.write(key, st.session_state[key] or None)
    return rules


def rules_line(rules: Rules, method: Method, refusal: str) -> None:
    """What holds, in the sidebar, with the way to take it back; nothing where there are no rules.

    ``refusal`` says why the chosen method or solver cannot keep to them, if it cannot.
    """
    if note := st.session_state.get(keys.RULES_NOTE):
        st.warning(note)
    if not rules.active:
        return
    if refusal:
        st.warning(f"These rules cannot be used here: {in_markdown(refusal)}.")
    with st.container(horizontal=True, vertical_alignment="center", key="rules_line"):
        beside = "" if method.separable else f", but {method.title} keeps every feature"
        st.caption(f":material/science: {in_markdown(rules.words)}{beside}", width="content")
        no_rules_button("Remove", rules, key="rules_reset", type="tertiary")


def no_rules_button(label: str, rules: Rules, **options: Any) -> None:
    """Draw a button that takes all rules back; options are those of ``st.button``."""
    st.button(
        label, on_click=use_rules, args=(Rules(rules.n_features),), **options,
        help="Removes all rules: every feature on, none forced in, signs free, costs 1. Back brings them back.",
    )  # fmt: skip


def use_rules(rules: Rules) -> None:
    """Make these the rules of every page; for callbacks, which run before the sidebar is drawn."""
    _keep(rules.texts())
    st.session_state.pop(keys.RULES_NOTE, None)


def forget_rules() -> None:
    """The data becomes another one, which has no rules; for callbacks."""
    _keep(NONE)
    st.session_state.pop(keys.RULES_SEEN, None)
    st.session_state.pop(keys.RULES_NOTE, None)


def _mark(names: tuple[str, ...]) -> str:
    return text_key(names)[:8]


def _keep(texts: Texts) -> None:
    for name, key in _KEYS.items():
        st.session_state[key] = texts[name]


def _go_over_to(data: tuple[str, str], names: tuple[str, ...], texts: Texts) -> Texts:
    """Return the rules for this data, where the session has ``texts``.

    Rules are of one dataset: each has its own, and where its columns change they go along by name.
    """
    seen: _Seen | None = st.session_state.get(keys.RULES_SEEN)
    if seen is None and any(texts.values()) and address.read(keys.RULES_OF, "") not in ("", _mark(names)):
        st.session_state[keys.RULES_NOTE] = (
            "The rules for features were set for other columns, or for these in another order: none is used. Set them "
            "again."
        )
        _keep(NONE)
        return NONE
    if seen is None or (seen.data, seen.names) == (data, names):
        return texts
    if seen.data != data:
        others: dict[tuple[str, str], _Seen] = st.session_state.setdefault(_OF_OTHER_DATA, {})
        others[seen.data] = seen
        seen = others.get(data, _Seen(data, names, NONE))
        st.session_state.pop(keys.RULES_NOTE, None)
    texts = seen.texts
    if seen.names != names:
        old, _ = read_rules(texts, len(seen.names))
        place = {name: j for j, name in enumerate(names)}
        there = {j: place[name] for j, name in enumerate(seen.names) if name in place}
        texts = old.renumbered(there, len(names)).texts()
    _keep(texts)
    return texts


_COSTS_PROBLEM = "costs_problem"
_COSTS_TABLE = "costs_table"
LARGEST_UPLOAD = 1_000_000
FloatArray = NDArray[np.float64]


def switch_clicked(chart: str) -> None:
    """Switch the feature that was clicked off on every page, or on again; for callbacks."""
    choice: Choice | None = st.session_state.get(keys.CHOICE)
    if (point := clicked(chart)) and choice is not None:
        off = tuple(sorted(set(choice.rules.off) ^ {int(point[1]) - 1}))
        forced = tuple(column for column in choice.rules.forced if column not in off)
        use_rules(replace(choice.rules, off=off, forced=forced))
        st.session_state[keys.FEATURES_SECTION] = "what if"  # which shows what that does


class RulesControls:
    """Switches and costs of one dataset, over the model without any rules, side by side in a row."""

    def __init__(self, choice: Choice, before: Fit) -> None:
        self._rules, self._before = choice.rules, before
        self._names = before.feature_names
        identity = repr((choice.source.name, choice.source.upload, self._names))
        self._id = hashlib.sha256(identity.encode()).hexdigest()[:12]

    def draw(self) -> None:
        """Which features are off, forced in, or of one sign; and what each costs, with its way in and out as a file."""
        rules, order = self._rules, np.argsort(-np.abs(self._before.weights), kind="stable").tolist()
        with st.popover(f"Switched off: {len(rules.off) or 'none'}", key="switched_off"):
            self._pick(
                "Switched off", "off", order,
                "The model must do without them: their penalty is infinite. The list begins with the features it "
                "keeps.",
            )  # fmt: skip
        with st.popover(f"Forced in: {len(rules.forced) or 'none'}", key="forced_in"):
            self._pick(
                "Forced in", "forced", order,
                "They pay no penalty, so their weights are hardly ever 0. Features that are switched off stay off.",
            )  # fmt: skip
        with st.popover(f"Signs: {len(rules.helps) + len(rules.hurts) or 'free'}", key="signs"):  # none is in both
            self._pick(
                "May only help", "helps", [j for j in order if j not in rules.hurts],
                "Their weights are 0 or more: a higher value never lowers the score.",
            )  # fmt: skip
            self._pick(
                "May only hurt", "hurts", [j for j in order if j not in rules.helps],
                "Their weights are 0 or less: a higher value never raises the score.",
            )  # fmt: skip
        no_rules_button("Reset", rules, key="what_if_reset", icon=":material/undo:", disabled=not rules.active)
        self._costs()

    def _costs(self) -> None:
        import pandas as pd  # heavy to import, and the Lab does without it

        base, key = self._table()
        table = pd.DataFrame(
            {
                "feature": np.arange(1, len(self._names) + 1),
                "name": list(self._names),
                "cost": base,
                "weight": self._before.weights,
            }
        )
        dear = bool(np.ptp(self._rules.every_cost))
        with st.popover("Costs ✓" if dear else "Costs", icon=":material/paid:", key="costs"):
            st.file_uploader(
                "Upload costs",
                type=["csv", "txt"],
                key=self._key("costs_file"),
                on_change=self._take_file,
                help="CSV lines: feature name, cost. Features that are not named cost 1.",
            )
            st.data_editor(
                table,
                key=key,
                on_change=lambda: self._take_costs(_edited(base, key)),
                hide_index=True,
                disabled=["feature", "name", "weight"],
                height=min(38 + 35 * len(table), 300),  # the box stays within a laptop's window
                column_order=["name", "cost", "weight"],
                column_config={
                    "name": st.column_config.TextColumn(width=110),
                    "cost": st.column_config.NumberColumn(
                        "cost",
                        width=60,
                        min_value=0.0,
                        required=True,
                        format="%g",
                        help="In any unit: a feature's penalty is its cost over the mean of those that are on. At cost "
                        "0 it pays no penalty.",
                    ),
                    "weight": st.column_config.NumberColumn(
                        width=70, format="%.3g", help="In the model without any rules."
                    ),
                },
            )
            download(
                "Costs (CSV)",
                lambda: write_costs(self._rules.every_cost, self._names),
                "costs.csv",
                key="costs_csv",
                help="Feature names and costs, to edit elsewhere and upload again.",
            )
        if problem := st.session_state.get(_COSTS_PROBLEM):
            st.error(problem)

    def _pick(self, label: str, rule: str, offered: list[int], help: str) -> None:
        key, chosen = self._key(rule), list(getattr(self._rules, rule))
        if sorted(st.session_state.get(key, [])) != chosen:  # a link, Undo or another page has changed it
            st.session_state[key] = chosen
        st.multiselect(
            label,
            offered,
            format_func=lambda j: f"{self._names[j]} ({j + 1})",
            key=key,
            on_change=self._take_switches,
            placeholder="none",
            select_all=False,
            help=help,
        )

    def _take_switches(self) -> None:
        picked = {rule: st.session_state.get(self._key(rule), []) for rule in ("off", "forced", "helps", "hurts")}
        use_rules(Rules.of(len(self._names), costs=self._rules.every_cost, **picked))

    def _take_costs(self, costs: FloatArray) -> None:
        if not costs.any():
            st.session_state[_COSTS_PROBLEM] = "At least one cost must be above 0: only their proportions count."
            return
        st.session_state.pop(_COSTS_PROBLEM, None)
        use_rules(replace(self._rules, costs=Rules.of(len(costs), costs=costs).costs))

    def _table(self) -> tuple[FloatArray, str]:
        """The costs that the table began with, and its key: another one where they have been changed elsewhere."""
        kept: dict[str, tuple[FloatArray, int]] = st.session_state.setdefault(_COSTS_TABLE, {})
        base, version = kept.get(self._id, (np.ones(len(self._names)), 0))
        if not np.array_equal(_edited(base, self._key(f"costs{version}")), self._rules.every_cost):
            base, version = self._rules.every_cost, version + 1
        kept[self._id] = base, version
        return base, self._key(f"costs{version}")

    def _key(self, control: str) -> str:
        return f"{control}_{self._id}"

    def _take_file(self) -> None:
        """Use a file that has just been dropped; one that cannot be used changes nothing."""
        file = st.session_state.get(self._key("costs_file"))
        if file is None:
            st.session_state.pop(_COSTS_PROBLEM, None)
            return
        try:
            self._take_costs(read_costs(_text(file), self._names))
        except DataError as error:
            st.session_state[_COSTS_PROBLEM] = f"{file.name}: {error}. The costs have not changed."


def _edited(base: FloatArray, key: str) -> FloatArray:
    costs = base.copy()
    for row, values in st.session_state.get(key, {}).get("edited_rows", {}).items():
        if values.get("cost") is not None:
            costs[int(row)] = float(values["cost"])
    return costs


def _text(file) -> str:  # type: ignore[no-untyped-def]
    if file.size > LARGEST_UPLOAD:
        msg = "this is too large to be a table of costs"
        raise DataError(msg)
    try:
        return str(file.getvalue().decode("utf-8"))
    except UnicodeDecodeError:
        msg = "this is not a text file in UTF-8"
        raise DataError(msg) from None
