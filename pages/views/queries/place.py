"""What the Queries page looks at: part, query, selected documents, edits, and what the chosen model is compared with.

That is another model, a feature alone, the ideal order, or it without a feature.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from core.analysis.evaluation import Judgement
from core.analysis.features.rules import RULE_NAMES, read_rules
from core.analysis.queries.side_by_side import ideal_scores, ranks_better_reversed, single_feature_weights
from core.analysis.queries.swaps import Edits, read_edits
from core.data import DataError, RankingData
from core.data.numbers import read_number
from core.export.scripts.description import ModelDescription
from core.figures.path.lines import PART_TITLES
from core.figures.queries.picture import IDEAL
from core.methods import Fit, get_method
from core.models import Model
from core.names.numbers import short
from core.solvers.problem import pair_scores
from pages.shared import headline
from pages.shared.cache import cached
from pages.shared.choice import access, address
from pages.shared.choice.choice import Choice, Loaded
from pages.shared.choice.menu import IDS
from pages.shared.differences import best_single
from pages.shared.headline import Shown
from pages.shared.server.visits import travelled
from pages.shared.show import model_of

_QUERIES_PART = "queries_part"
_QUERIES_QUERY = "queries_query"
_QUERIES_DOCUMENTS = "queries_documents"
_QUERIES_EDITS = "queries_edits"
_QUERIES_SEEN = "queries_seen"
QUERIES_LOOK = "queries_look"
"""What is asked further."""
SWAP, EVERY = "swap", "all queries"


@dataclass(frozen=True)
class QueryView:
    """What is looked at."""

    part: str
    query: int  # its number, from 0
    # The one or two of its documents that a person has chosen, from 0, in the order of the file; else none.
    selected: tuple[int, ...]
    edits: Edits


def part_of(choice: Loaded) -> str:
    """Let a person choose a part, which the address keeps."""
    titles = {part: PART_TITLES[part] for part in choice.fold.parts()}
    how = {"label_visibility": "collapsed", "help": f"The part whose {choice.nouns.samples} are ranked."}
    return address.by_id("Measured on", titles, list(titles)[-1], key=_QUERIES_PART, **how)


def choose_query(data: RankingData, texts: Mapping[str, str], *, shown: bool) -> int:
    """Let a person choose a query, where the control is shown; the address names it by its id."""
    ids = data.query_ids
    address.begin(_QUERIES_QUERY, ids, ids[0])
    if not shown:  # the session forgets what belongs to a control that is not drawn
        st.session_state[_QUERIES_QUERY] = kept = st.session_state[_QUERIES_QUERY]
        return ids.index(kept)
    chosen = st.selectbox(
        "Query",
        ids,
        format_func=lambda query: f"{query}: {texts[query]}" if query in texts else f"query {query}",
        key=_QUERIES_QUERY,
        persist_state="session",
        width=270,
        label_visibility="collapsed",
        help="Type to search by id or text.",
    )
    return ids.index(chosen)


def place_of(choice: Loaded, data: RankingData, part: str, query: int) -> QueryView:
    """What is looked at; edits of another model and documents of another query are forgotten."""
    model, where = choice.key, (choice.fingerprint, part, data.query_ids[query])
    seen: tuple[str, tuple[str, str, str]] | None = st.session_state.get(_QUERIES_SEEN)
    n_documents = len(data.relevance[data.rows_of(query)])
    for key in (_QUERIES_DOCUMENTS, _QUERIES_EDITS):
        if key not in st.session_state or travelled():
            st.session_state[key] = st.query_params.get(key, "")
    edits = read_edits(st.session_state[_QUERIES_EDITS], n_documents, data.n_features)
    selected = _numbers(st.session_state[_QUERIES_DOCUMENTS], n_documents)
    if travelled():
        seen = None
    if seen is not None and seen[0] != model:
        edits = Edits()
    if seen is not None and seen[1] != where:
        edits, selected = edits.of_model, ()
    st.session_state[_QUERIES_SEEN] = (model, where)
    keep(selected, edits)
    for key in (_QUERIES_QUERY, _QUERIES_DOCUMENTS, _QUERIES_EDITS):
        address.write(key, st.session_state[key] or None)
    return QueryView(part, query, selected, edits)


def keep(selected: Sequence[int], edits: Edits) -> None:
    """Make this what is looked at; also for callbacks."""
    st.session_state[_QUERIES_DOCUMENTS] = ",".join(str(i + 1) for i in selected)
    st.session_state[_QUERIES_EDITS] = edits.text()


def open_query(query_id: str) -> None:
    """Look at the lists of this query; for callbacks."""
    st.session_state[_QUERIES_QUERY] = query_id
    st.session_state[QUERIES_LOOK] = None


def _numbers(text: str, n_documents: int) -> tuple[int, ...]:
    found = [int(number) - 1 for number in text.split(",") if number.isascii() and number.isdigit()]
    return tuple(dict.fromkeys(i for i in found if 0 <= i < n_documents))[:2]


_QUERIES_B = "queries_b"
_QUERIES_PIN = "queries_pin"
_MODEL = "model|"
NOTHING = "nothing"
_reversed = cached()(ranks_better_reversed)
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Baseline:
    """What the chosen model, A, is compared with: B."""

    title: str  # a few words
    weights: FloatArray | None  # shape (n_features,); None for the ideal order, which no model has
    fit: Fit | None = None  # whose weights these are; None for a feature and the ideal order
    # B as scripts name it: a model, a feature counted from 1, or None for the ideal order.
    described: ModelDescription | int | None = None
    scripted: bool = True  # whether scripts can name it

    def as_drawn(self, model: Model) -> Model | str | int:
        """As the picture takes it, beside a model of the same fold."""
        if self.weights is None:
            return IDEAL
        if self.fit is None:
            assert isinstance(self.described, int), "a feature has its number"
            return self.described
        return Model(self.fit, model.fold, Judgement(), model.convention)

    def scores(self, data: RankingData) -> FloatArray:
        """Of all documents of a part, shape (n_documents,)."""
        return ideal_scores(data) if self.weights is None else pair_scores(data, self.weights)


def with_weights(fit: Fit, weights: FloatArray) -> Fit:
    """A fit with other weights; everything else is said of the weights that it had."""
    return replace(fit, result=replace(fit.result, weights=weights))


def best_alone(now: Shown) -> Baseline:
    """The feature that ranks the training part best by itself: what a model has to surpass."""
    token = f"only-{best_single(now.choice, 'MAP').index}"
    return _compared(token, _options(now)[token], now)


def choose_compared(now: Shown) -> Baseline | None:
    """Let a person choose B; the address has it, a pinned model with all that it takes to fit it again."""
    options = _options(now)
    newest = next((token for token in options if token.startswith(_MODEL)), None)
    linked = st.query_params.get(_QUERIES_B)
    if newest is not None and st.session_state.get(_QUERIES_PIN) != newest:  # pinned to be compared with
        if not linked or (_QUERIES_PIN in st.session_state and not travelled()):
            st.session_state[_QUERIES_B] = newest
        st.session_state[_QUERIES_PIN] = newest
    st.session_state.setdefault(_QUERIES_PIN, None)
    if _QUERIES_B not in st.session_state and linked:
        st.session_state[_QUERIES_B] = linked
    if (kept := st.session_state.get(_QUERIES_B)) is not None and kept not in options:
        if (choice := _linked_model(kept, now.choice)) is None:
            st.session_state.pop(_QUERIES_B)
        else:
            options[kept] = f"{choice.title}, λ = {short(choice.lam)}"
    picked = st.selectbox(
        "Compare with",
        list(options),
        format_func=lambda token: f"Compare with: {options.get(token, token)}",
        key=_QUERIES_B,
        persist_state="session",
        label_visibility="collapsed",
        width=290,
        help="Draws a second list, B, beside that of the chosen model, A. Models pinned in the strip stand here, too.",
    )
    address.write(_QUERIES_B, picked)
    return None if picked == NOTHING else _compared(picked, options[picked], now)


def _options(now: Shown) -> dict[str, str]:
    """What can be chosen, by its name in the address; what a new visitor gets stands first."""
    choice, names = now.choice, now.fit.feature_names
    best = best_single(choice, "MAP").index
    pinned = {
        _model_token(run.choice): run.label
        for run in reversed(headline.pins())
        if run.is_of(choice) and run.choice.key != choice.key
    }
    columns: list[int] = np.flatnonzero(choice.judge.usable_features).tolist()
    usable = [best, *(j + 1 for j in columns if j + 1 != best)]
    alone = {f"only-{j}": f"{names[j - 1]} alone" for j in usable}
    without = {f"without-{j + 1}": f"A without {names[j]}" for j in now.fit.selected.tolist()}
    offered = {f"only-{best}": alone[f"only-{best}"]} | {IDEAL: "the ideal order"}
    return {NOTHING: "nothing"} | pinned | offered | without | alone


def _compared(token: str, title: str, now: Shown) -> Baseline:
    choice = now.choice
    if token == IDEAL:
        return Baseline(title, None)
    kind, _, number = token.partition("-")
    if kind == "only":
        column = int(number) - 1
        reverse = _reversed(choice.fold.train, choice.convention, column)
        words = ", smallest value first" if reverse else ""
        weights = single_feature_weights(choice.rules.n_features, column, reverse=reverse)
        return Baseline(f"{title}{words}", weights, described=int(number))
    if kind == "without":
        return _without(now, int(number) - 1)
    pinned = next((run for run in headline.pins() if _model_token(run.choice) == token), None)
    model = _linked_model(token, choice)
    found = pinned or (None if model is None else headline.shown(model))
    if found is None:
        st.info("Model B takes long to fit: fit it on the Fit page, pin it, and come back.")
        return Baseline("the ideal order", None)
    described = model_of(found.choice, found.fit)
    return Baseline(f"{found.choice.title}, C = {short(found.fit.c)}", found.fit.weights, found.fit, described)


def _without(now: Shown, column: int) -> Baseline:
    """A fitted again under the same rules with one feature off; where that cannot be, with the feature's weight 0."""
    rules, choice = now.choice.rules, now.choice
    name = now.fit.feature_names[column]
    if choice.method.separable:
        forced = tuple(j for j in rules.forced if j != column)
        off = replace(rules, off=tuple(sorted({*rules.off, column})), forced=forced)
        found = headline.shown(replace(choice, rules=off))
        if found is not None:
            described = model_of(found.choice, found.fit)
            return Baseline(f"A refitted without {name}", found.fit.weights, found.fit, described)
    weights = now.fit.weights.copy()
    weights[column] = 0.0
    return Baseline(f"A with the weight of {name} set to 0", weights, with_weights(now.fit, weights), scripted=False)


def _model_token(choice: Choice) -> str:
    """All that a model of the chosen fold takes besides the data."""
    parameters = ",".join(f"{name}={value!r}" for name, value in choice.parameters)
    rules = choice.rules.texts().values()
    parts = (choice.method_id, choice.solver_id, repr(choice.lam), repr(choice.tol), parameters, *rules)
    return _MODEL + "|".join(parts)


def _linked_model(token: str, choice: Loaded) -> Loaded | None:
    """The model that a link names, on the chosen fold; None where it names none."""
    parts = token.split("|")
    if len(parts) != 6 + len(RULE_NAMES) or parts[0] != "model" or parts[1] not in IDS:
        return None
    _, method_id, solver_id, lam, tol, parameters, *texts = parts
    method = get_method(method_id)
    pairs: Mapping[str, str] = dict(item.split("=", 1) for item in parameters.split(",") if "=" in item)
    try:
        values = {name: read_number(value) for name, value in pairs.items()}
        settings, _ = method.settings(values), method.solver(solver_id)
        numbers = (read_number(lam), read_number(tol))
    except (KeyError, ValueError):
        return None
    if not all(math.isfinite(number) and number > 0 for number in numbers):
        return None
    rules, problem = read_rules(dict(zip(RULE_NAMES, texts, strict=True)), choice.rules.n_features)
    if problem:
        return None
    given = tuple((name, settings[name]) for name in values)
    try:
        model = access.with_method(choice, method_id, given, lam=numbers[0])
    except DataError:
        return None
    return replace(model, solver_id=solver_id, tol=numbers[1], rules=rules)
