"""Radius and C of the same model, for a method that has a ball instead of a penalty."""

from __future__ import annotations

import hashlib
from dataclasses import asdict

import pandas as pd
import streamlit as st

from core.analysis.radii import STEPS, radii
from core.export.scripts.choosing import radii_script
from core.figures.fit.radii import radii_figure, radii_sentence
from core.methods import MethodRun
from core.penalties import L1Ball
from core.work import Steps
from pages.shared import scripts
from pages.shared.choice.choice import Loaded
from pages.shared.live_chart import live_chart
from pages.shared.work.stepwise import all_steps


def panel(choice: Loaded, run: MethodRun) -> None:
    """Draw which radius belongs to which lambda; nothing for other methods."""
    problem, training = run.steps.problem, choice.training
    if not isinstance(problem.penalty, L1Ball) or training.lam_max == 0.0:
        return
    key = "radii-" + hashlib.sha256(repr((choice.fingerprint, choice.where)).encode()).hexdigest()
    points = all_steps(key, lambda: Steps(radii(training), STEPS), "Radii and their λ")
    if points is None:
        return
    radius, lam = problem.penalty.radius, problem.lam
    title = radii_sentence(points, radius, training.c_of(lam))
    figure = radii_figure(
        points, radius, lam / training.lam_max, title=title,
        subtitle=f"{choice.where} · line: ‖w‖₁ of the ℓ1 model, marks: the radii that the paper chooses from",
    )  # fmt: skip
    script = radii_script(scripts.chosen_data(choice), scripts.model_of(choice, run.fit()))
    live_chart(figure, "radii", alt=title, table=pd.DataFrame([asdict(point) for point in points]), script=script)
    st.caption(
        "A limit on ‖w‖₁ and a price on it give the same models, so every picture shows this method at the λ of the "
        "ℓ1 methods. Set the radius in the sidebar, under More, to choose by it; C follows."
    )
