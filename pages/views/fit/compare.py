"""Pinned runs beside the present one: what was set differently, what came out differently."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.figures.fit.convergence import Curve, Vertical, ending_words
from core.figures.look.style import certificate_label
from core.names.numbers import short
from core.names.tables import frame_csv
from pages.shared.choice import access
from pages.shared.differences import optimum_of
from pages.shared.headline import Run, Shown, pins
from pages.shared.wording import reason_words


def pinned_curves(now: Shown | None, y: Vertical) -> list[Curve]:
    """Curves of the pinned runs, but for the one that is the present run."""
    return [
        Curve(
            name=_name(run, now),
            method=run.fit.method,
            trace=run.fit.result.trace,
            ending=f"{run.choice.method.solver(run.fit.solver).title}: {ending_words(run.fit.result)}",
            optimum=_optimum(run) if y == "suboptimality" else None,
        )
        for run in pins()
        if now is None or run.choice != now.choice.alone
    ]


def _name(run: Run, now: Shown | None) -> str:
    """What differs from the present run: a name in the legend has one line."""
    return run.label.removesuffix(f", {run.where}") if now is not None and run.is_of(now.choice) else run.label


def _optimum(run: Run) -> float | None:
    choice = run.choice
    training = access.training(choice.method_id, choice.source, choice.fold_number, choice.parameters)
    return optimum_of(choice, training).bound


def comparison(runs: Sequence[Run]) -> pd.DataFrame:
    """One row a run: the settings in which they differ, then what came out.

    Parameters
    ----------
    runs : sequence of Run
        At least one; the last is the present one.
    """
    settings = pd.DataFrame([_settings(run) for run in runs]).fillna("–")
    differing = [column for column in settings if settings[column].nunique() > 1]
    outcomes = pd.DataFrame([_outcomes(run) for run in runs])
    names = pd.Series([f"pinned {k}" for k in range(1, len(runs))] + ["now"], name="run")
    return pd.concat([names, settings[differing], outcomes], axis=1)


def _settings(run: Run) -> dict[str, str]:
    choice = run.choice
    return {
        "data": run.where,
        "scaling": choice.source.reading.scale,
        "penalty": choice.title,
        "solver": choice.method.solver(run.fit.solver).title,
        "C": f"{run.fit.c:.3e}",
        "λ/λ_max": short(run.fit.lam / run.fit.lam_max),
        "stop at": f"{choice.tol:.0e}",
        "features": choice.rules.words or "all on",
        **{
            p.name: p.text(value)
            for p, (_, value) in zip(choice.method.parameters, choice.parameters, strict=True)
            if p.matters(dict(choice.parameters))
        },
    }


def _outcomes(run: Run) -> dict[str, Any]:
    result = run.fit.result
    out: dict[str, Any] = {"features": result.nonzero, "objective": result.objective}
    for part, measures in run.metrics.items():
        if part != "train" or len(run.metrics) == 1:
            out |= {f"{part} MAP": measures["MAP"], f"{part} NDCG@10": measures["NDCG@10"]}
    found = result.certificate
    label = certificate_label(found.kind, found.share_of, found.among)
    out |= {"certificate": f"{label}: {short(found.relative)}", "ended": reason_words(result)}
    return out | {"steps": result.steps, "passes": result.passes, "seconds": result.seconds}


def panel(now: Shown | None) -> None:
    """The table, with the way to empty it; an invitation where nothing is pinned."""
    kept = pins()
    if not kept:
        st.caption("**Pin** a run in the strip above, then change something: both are compared here and in the chart.")
        return
    st.subheader("Compared with the pinned runs", anchor=False)
    runs = [*kept, now] if now is not None else list(kept)
    table = comparison(runs)
    if now is None:
        table["run"] = [f"pinned {k}" for k in range(1, len(runs) + 1)]
    formats = {c: "%.4f" for c in table if str(c).endswith(("MAP", "NDCG@10"))}
    columns: dict[str, Any] = {str(c): st.column_config.NumberColumn(format=f) for c, f in formats.items()}
    st.dataframe(table, hide_index=True, key="comparison", column_config=columns)
    with st.container(horizontal=True):
        st.download_button("CSV", lambda: frame_csv(table), "comparison.csv", "text/csv", on_click="ignore")
        st.button("Unpin the last", key="unpin_last", on_click=_unpin_last, help="Unpins the run that was pinned last")


def _unpin_last() -> None:
    pins().pop()
