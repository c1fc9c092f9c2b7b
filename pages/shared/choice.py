"""The choice all pages share: data, method, solver and C, drawn in the sidebar and kept in the address."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from core.analysis.evaluation import FoldJudge
from core.data import Convention, DataError, Fold, UngroupedQueriesError
from core.data.scaling import SCALINGS
from core.figures.style import short
from core.methods import METHODS, Method, Training, get_method
from core.solvers import Stop
from pages.shared import access
from pages.shared.access import Source

DEFAULT_DATASET = "python-docs"
STEPS_A_DECADE = 20
LOWEST_DECADE = 5
DEFAULT_STEP = 30  # lambda / lambda_max = 10^-1.5
TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)
HELD_OUT = 0.3


@dataclass(frozen=True)
class Choice:
    """What to fit, on what, and how; plain and hashable. Data comes from `access` by these keys."""

    source: Source
    fold_number: int
    convention: Convention
    fingerprint: str
    method_id: str
    solver_id: str
    parameters: tuple[tuple[str, float], ...]
    lam: float
    tol: float

    @property
    def method(self) -> Method:
        return get_method(self.method_id)

    @property
    def fold(self) -> Fold:
        return access.fold(self.source, self.fold_number)

    @property
    def training(self) -> Training:
        return access.training(self.method_id, self.source, self.fold_number)

    @property
    def judge(self) -> FoldJudge:
        return access.judge(self.source, self.fold_number, self.convention)

    @property
    def stop(self) -> Stop:
        return Stop(tol=self.tol)

    @property
    def key(self) -> str:
        """The same for the same problem, solver and accuracy, in any session."""
        parts = (self.fingerprint, self.method_id, self.solver_id, self.parameters, self.lam, self.tol)
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    @property
    def where(self) -> str:
        """Dataset and fold in words."""
        parts = access.dataset(self.source)
        return f"{parts.name}, {parts.fold_names[self.fold_number - 1]}"


def choose() -> Choice:
    """Draw the sidebar and return what is chosen.

    Raises
    ------
    DataError
        If the chosen data cannot be used; the rest of the sidebar is drawn all the same.
    """
    st.session_state["readable"] = None
    source = _choose_source()
    fold_slot = st.container()
    method = get_method(
        _choose_by_id(
            "Penalty",
            {method.id: method.title for method in METHODS},
            key="method",
            help="What keeps the weights small: ℓ1 is convex, the others let large weights go.",
        )
    )
    st.caption(method.explanation)
    c_slot = st.container(key="c_control")
    parameters = _choose_parameters(method)
    solver_id, tol = _choose_solver(method)
    with fold_slot:
        number = _choose_fold(source)
    # There may be data to look at that nothing can be learned from.
    st.session_state["readable"] = (source, number)
    training = access.training(method.id, source, number)
    with c_slot:
        lam = _choose_c(training)
    data = access.fold(source, number).train
    return Choice(
        source=source,
        fold_number=number,
        convention=access.dataset(source).convention,
        fingerprint=data.fingerprint,
        method_id=method.id,
        solver_id=solver_id,
        parameters=parameters,
        lam=lam,
        tol=tol,
    )


def _choose_source() -> Source:
    _take_upload()
    mine: dict[str, str] = st.session_state.setdefault("my_uploads", {})
    _recognise_link(mine)
    names = list(access.ready_datasets())
    names.sort(key=lambda name: name != DEFAULT_DATASET)
    options = [*names, *mine]
    if st.session_state.get("dataset") not in options:
        st.session_state.pop("dataset", None)
    name = st.selectbox(
        "Dataset",
        options,
        key="dataset",
        bind="query-params",
        help="Sample data, your own below $SPARSE_RANK_DATA, and what you have dropped in.",
    )
    if note := st.session_state.get("link_note"):
        st.warning(note)
    with st.expander("Your own data", icon="📄", expanded=not names):
        st.file_uploader(
            "Drop a LETOR file or CSV",
            key="upload",
            help="SVMlight lines with qid:, or a CSV with columns for relevance, query and features, or a CSV with a "
            "class in its last column. Plain or .gz. It stays on this machine.",
        )
    digest = mine.get(name, "")
    if digest:
        return _single_file_options(Source(name, upload=digest))
    entry = access.ready_datasets()[name]
    source = Source(name)
    if entry.path is not None and entry.path.is_file():
        return _single_file_options(source)
    return _with_scale(source)


def _take_upload() -> None:
    """Keep a file that has just been dropped, and choose it."""
    file = st.session_state.get("upload")
    if file is None:
        st.session_state.pop("taken_upload", None)
        return
    if st.session_state.get("taken_upload") == file.file_id:
        return
    content = file.getvalue()
    digest = hashlib.sha256(content).hexdigest()
    access.keep_upload(digest, file.name, content)
    label = _upload_label(file.name, digest)
    st.session_state.setdefault("my_uploads", {})[label] = digest
    st.session_state["taken_upload"] = file.file_id
    st.session_state["dataset"] = label
    st.session_state.pop("link_note", None)


def _upload_label(name: str, digest: str) -> str:
    return f"{name} · {digest[:10]}"


def _recognise_link(mine: dict[str, str]) -> None:
    """A link may name an upload of an earlier session, or data that is not here: find it, or say so once."""
    wanted = st.query_params.get("dataset")
    if st.session_state.get("link_read"):
        return
    st.session_state["link_read"] = True
    if wanted is None or wanted in access.ready_datasets() or wanted in mine:
        return
    for digest, (name, _) in access.uploads().items():
        if _upload_label(name, digest) == wanted:
            mine[wanted] = digest
            return
    st.session_state["link_note"] = (
        f"The link asks for “{wanted}”, which is not here; this is {DEFAULT_DATASET} instead. Drop the file in below, "
        "or put the dataset under $SPARSE_RANK_DATA."
    )


def _choose_by_id(label: str, titles: Mapping[str, str], *, key: str, help: str) -> str:
    """A list of titles whose choice is in the address by its id, as on the command line.

    A list that Streamlit binds to the address itself would write titles there, and read nothing else.
    """
    if st.session_state.get(key) not in titles:
        linked = st.query_params.get(key)
        st.session_state[key] = linked if linked in titles else next(iter(titles))
    chosen = st.selectbox(label, list(titles), format_func=lambda k: titles.get(k, k), key=key, help=help)
    st.query_params[key] = chosen
    return chosen


def _single_file_options(source: Source) -> Source:
    with st.expander("How to read it", icon="⚙️"):
        held_out = st.toggle(
            f"Hold out {HELD_OUT:.0%} for testing",
            value=True,
            key="holdout",
            bind="query-params",
            help="Train on the rest. By queries; for a file with one query by documents. Off: fit the whole file.",
        )
        positive = st.text_input(
            "Positive class",
            key="positive",
            bind="query-params",
            help="For a CSV with a class in its last column: the class to rank on top. Empty: told from the labels.",
        )
        group = st.toggle(
            "Put documents of a query together",
            key="group",
            bind="query-params",
            help="For a file in which a query's lines are not consecutive.",
        )
    split = round(1.0 - HELD_OUT, 3) if held_out else None
    return _with_scale(Source(source.name, source.upload, positive.strip() or None, "none", split, group))


def _with_scale(source: Source) -> Source:
    titles = {scaling.id: scaling for scaling in SCALINGS}
    scale = st.selectbox(
        "Scaling",
        list(titles),
        format_func=lambda how: titles[how].title,
        key="scale",
        bind="query-params",
        help="\n\n".join(f"**{scaling.title}**: {scaling.sentence}" for scaling in SCALINGS),
    )
    return Source(source.name, source.upload, source.positive, scale, source.split, source.group)


def _choose_fold(source: Source) -> int:
    try:
        names = access.dataset(source).fold_names
    except UngroupedQueriesError as error:
        msg = f"{error}: switch on “Put documents of a query together” under “How to read it”."
        raise DataError(msg) from None
    if len(names) == 1:
        return 1
    if st.session_state.get("fold", 1) not in range(1, len(names) + 1):
        st.session_state.pop("fold", None)
    return int(
        st.selectbox(
            "Fold",
            range(1, len(names) + 1),
            format_func=lambda number: names[number - 1],
            key="fold",
            bind="query-params",
            help="Which division into training, validation and test queries.",
        )
    )


def _choose_parameters(method: Method) -> tuple[tuple[str, float], ...]:
    chosen = []
    for parameter in method.parameters:
        value = st.number_input(
            f"{parameter.name} ({parameter.symbol})" if parameter.name != parameter.symbol else parameter.name,
            min_value=parameter.minimum,
            max_value=parameter.maximum,
            value=parameter.default,
            step=max(parameter.default / 10, 0.01),
            format="%g",
            key=f"{method.id}.{parameter.name}",
            bind="query-params",
            help=parameter.help,
        )
        chosen.append((parameter.name, float(parameter.default if value is None else value)))
    return tuple(chosen)


def _choose_solver(method: Method) -> tuple[str, float]:
    solver_id = _choose_by_id(
        "Solver",
        {solver.id: solver.title for solver in method.solvers},
        key="solver",
        help="\n\n".join(f"**{solver.title}**: {solver.explanation}" for solver in method.solvers),
    )
    tol = st.select_slider(
        "Stop at",
        TOLERANCES,
        value=1e-6,
        format_func=lambda t: f"{t:.0e}",
        key="tol",
        bind="query-params",
        help="The fit is converged when the duality gap is at most this share of the objective or, for a penalty that "
        "is not convex, the stationarity residual this share of λ.",
    )
    return solver_id, float(tol)


def _choose_c(training: Training) -> float:
    """A slider that reads in C and moves in lambda / lambda_max, so that a place on it means the same on all data."""
    largest = training.lam_at(1.0)
    step = st.session_state.get("ratio_step")
    if step is None:
        step = _step_of(st.query_params.get("ratio"))
    steps = range(LOWEST_DECADE * STEPS_A_DECADE + 1)

    def words(k: int) -> str:
        return short(training.c_of(largest * _ratio(k)))

    key = f"C_slider_{training.loss.n_pairs}_{largest:.6e}"
    st.session_state["ratio_step"] = step
    if st.session_state.get(key) != step:  # writing it back every time would undo moves made in the meantime
        st.session_state[key] = step
    st.select_slider(
        "C",
        steps,
        format_func=words,
        key=key,
        on_change=_remember_step,
        args=(key,),
        help="How much fitting the pairs counts against the penalty: a larger C keeps more features. λ = 1/(C P) with "
        "P preference pairs; at λ_max the ℓ1 model is empty.",
    )
    st.query_params["ratio"] = ratio_text(step)
    lam = largest * _ratio(step)
    written = st.text_input(
        "Exact C",
        key="C",
        bind="query-params",
        placeholder="from the slider",
        help="Type a number to set C exactly; empty it to go back to the slider.",
    )
    if written and written.strip():
        lam = _typed_lambda(written, training, lam)
    st.caption(f"C = {short(training.c_of(lam))} · λ/λ_max = {short(lam / largest)} · λ = {short(lam)}")
    return lam


def set_c(c: float, ratio: float | None = None) -> None:
    """Make this the C of every page; for callbacks, which run before the sidebar is drawn.

    With lambda / lambda_max of it, the slider goes along and can be moved on from there.
    """
    st.session_state["C"] = repr(c)
    if ratio is not None:
        st.session_state["ratio_step"] = _step_of(repr(ratio))


def _remember_step(key: str) -> None:
    """The slider has been moved: what was typed no longer holds."""
    st.session_state["ratio_step"] = st.session_state[key]
    st.session_state["C"] = ""


def _typed_lambda(written: str, training: Training, fallback: float) -> float:
    try:
        return training.lam_of(float(written.strip().replace(",", ".")))
    except ValueError:
        st.warning(
            f"“{written.strip()}” is not a positive number; C comes from the slider. Write it like 0.02 or 2e-2."
        )
        return fallback


def _ratio(step: int) -> float:
    return float(10.0 ** (-step / STEPS_A_DECADE))


def ratio_text(step: int) -> str:
    """lambda / lambda_max at a step of the slider, as links write it."""
    return f"{_ratio(step):.4g}"


def _step_of(ratio: str | None) -> int:
    """The slider's step nearest to a ratio from a link; the default where it makes no sense."""
    try:
        value = float(ratio) if ratio is not None else math.nan
        step = round(-STEPS_A_DECADE * math.log10(value))
    except (ValueError, OverflowError):
        return DEFAULT_STEP
    return min(max(step, 0), LOWEST_DECADE * STEPS_A_DECADE)
