"""The best single feature of the chosen data, as pages compare models with it."""

from __future__ import annotations

import streamlit as st

from core.analysis.tradeoff.best_single_feature import SingleFeatureReference, best_single_feature
from core.data import Convention, Fold
from pages.shared.choice.choice import Loaded


def best_single(choice: Loaded, measure: str) -> SingleFeatureReference:
    """The feature that ranks the training part best alone, worked out once."""
    return _best_single(choice.fold, choice.fingerprint, choice.where, choice.convention, measure)


@st.cache_data(max_entries=64, show_spinner=False)
def _best_single(
    _fold: Fold, fingerprint: str, where: str, convention: Convention, measure: str
) -> SingleFeatureReference:
    return best_single_feature(_fold, convention, measure)
