"""The way out of the app: a model in the format of a search engine or another tool, with what one has to know of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.analysis.fit_records import fit_record
from core.data import DataError
from core.data.scaling import SCALINGS
from core.export.files import zip_of
from core.export.models.exported import ExportedModel, checked_name, export_model, usual_name
from core.export.models.formats import MODEL_FORMATS, get_format
from core.export.models.linear_model import LinearModel, model_of_record
from core.export.models.search_engines import FeatureSet, feature_set_of
from core.methods import Fit, get_method
from core.names.plain import in_markdown
from pages.shared import keys, panels
from pages.shared.cache import cached
from pages.shared.choice.choice import Loaded
from pages.shared.controls import button, download
from pages.shared.lazy import dialog

LARGEST_SET = 5_000_000  # bytes
WITHIN_QUERIES = "query-minmax"


def export_button(choice: Loaded, fit: Fit) -> None:
    """Draw the button that opens the panel over the page."""
    if button(
        "Export",
        key="export",
        icon=":material/ios_share:",
        type="tertiary",
        help="Export this model: Solr, Elasticsearch, OpenSearch, RankLib, SVM-rank, Python, scikit-learn …",
    ):
        _dialog(choice, fit)


@dialog("Export this model", width="large")
def _dialog(choice: Loaded, fit: Fit) -> None:
    export_panel(choice, fit, key="export_dialog")


def export_panel(choice: Loaded, fit: Fit, *, key: str, tuned: Mapping[str, Any] | None = None) -> None:
    """Draw format, name, feature set, what one has to know, and the download of a model fitted on these data.

    Keys of the controls begin with ``key``; ``tuned`` has the ``measure`` by which the validation part has chosen C.
    """
    model, problem = _model(choice, fit, dict(tuned or {}))
    if model is None:
        within = choice.source.reading.scale == WITHIN_QUERIES
        st.error(
            f"This model cannot be exported as it is: {in_markdown(problem.partition(';')[0] if within else problem)}.",
        )
        if within:
            st.markdown("With another scaling of the data, the same method gives a model that can be exported:")
            with st.container(horizontal=True):
                for scaling in SCALINGS:
                    if scaling.id == WITHIN_QUERIES:
                        continue
                    scale = dict.fromkeys((keys.SCALE, keys.CLASS_SCALE), scaling.id)
                    use = st.session_state.update
                    if button(f"Use {scaling.title}", key=f"{key}_{scaling.id}", on_click=use, args=(scale,)):
                        st.rerun()  # in a dialog a button draws nothing else anew
        return
    st.markdown(f"**{in_markdown(get_method(fit.method).title + model.description.removeprefix(fit.method))}**")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        titles = {known.id: f"{known.title[:1].upper()}{known.title[1:]}" for known in MODEL_FORMATS}
        chosen = st.selectbox(
            "Format", list(titles), format_func=titles.__getitem__, key=f"{key}_format", persist_state="session",
            help="Every format holds the same model. If scores differ, the sentences below say how.",
        )  # fmt: skip
        to = get_format(chosen)
        written = st.text_input(
            "Name of the model" if to.named else "Name of the file", placeholder=usual_name(model), key=f"{key}_name",
            persist_state="session", help="Letters, digits, '_', '-' and '.': it becomes part of a URL.",
        )  # fmt: skip
        name = (written or "").strip() or usual_name(model)
    try:
        whole = _feature_set(key) if to.feature_sets else None
        exported = export_model(model, to, f"{checked_name(name)}.{to.extension}", name=name, whole=whole)
    except DataError as error:
        st.error(f"{in_markdown(str(error)[:1].upper() + str(error)[1:])}.")
        return
    _report(exported, key)


@cached()
def _model(choice: Loaded, fit: Fit, tuned: dict[str, Any]) -> tuple[LinearModel | None, str]:
    """The model for export, or None and the reason why there is none."""
    judgement = choice.judge.judgement(fit.weights)
    record = fit_record(fit, judgement, choice.convention, trace=False)
    whole = panels.whole_record(record | ({"tuned": tuned} if tuned else {}), fit, choice)
    try:
        return model_of_record(whole), ""
    except DataError as error:
        return None, str(error)


def _feature_set(key: str) -> FeatureSet | None:
    """The feature set that has been dropped, if any; an error where the file is none."""
    file = st.file_uploader(
        "Feature set to prune (optional)",
        type=["json"],
        key=f"{key}_feature_set",
        help="The JSON that creates the set, or the answer to GET _ltr/_featureset/NAME. The engine computes every "
        "feature of a set for every document; you get back only those that this model needs.",
    )
    if file is None:
        return None
    if file.size > LARGEST_SET:
        msg = f"{file.name} is too large to be a feature set"
        raise DataError(msg)
    try:
        return feature_set_of(json.loads(file.getvalue()))
    except DataError as error:
        raise DataError(error.reason, file=file.name) from None
    except ValueError:
        msg = f"{file.name} is not valid JSON"
        raise DataError(msg) from None


def _report(exported: ExportedModel, key: str) -> None:
    if exported.pruned is not None:
        before, after = len(exported.pruned.whole.features), len(exported.pruned.pruned.features)
        st.success(
            f"{exported.pruned.saved} of {before} feature queries per document are saved: the model needs {after}.",
        )
    st.markdown("\n".join(f"- {in_markdown(note)}" for note in exported.notes))
    name, content = next(iter(exported.files.items()))
    if len(exported.files) > 1:
        name, content = f"{name.rpartition('.')[0]}.zip", zip_of(exported.files)
    download(f"Download {name}", content, name, key=f"{key}_download", type="primary", icon=":material/download:")
