"""Radius and C of the same model, for a method that has a ball instead of a penalty."""

from __future__ import annotations

import streamlit as st

from core.figures.fit.radii_picture import RadiiPicture, has_ball
from pages.shared import scripts
from pages.shared.headline import Shown
from pages.shared.lazy import lazy_expander
from pages.shared.show import show


def panel(now: Shown) -> None:
    """Draw which radius belongs to which lambda; nothing for other methods."""
    choice, fit = now.choice, now.fit
    if not has_ball(fit) or fit.lam_max == 0.0:
        return

    def draw() -> None:
        found = show(
            RadiiPicture(now.model, where=choice.where, training=choice.training),
            scripts.chosen_data(choice),
            choice.fold,
            fits=lambda: {"model": scripts.model_of(choice, fit)},
        )
        if found is not None:
            st.caption(
                "A limit on ‖w‖₁ and a price on it give the same models, so every picture shows this method at the λ "
                "of the ℓ1 methods. Set the radius in the sidebar, under More, to choose by it; C follows."
            )

    lazy_expander("Which radius belongs to which C?", draw, key="fit_radius")
