"""What a fit's numbers mean, in sentences."""

from __future__ import annotations

import numpy as np
import pytest

from core.methods import Fit
from core.solvers import Certificate, FitResult, TracePoint
from pages.shared.wording import certificate_words, kept_words, stop_words

GAP = Certificate("duality gap", 1.2e-7, 3.4e-7)
RESIDUAL = Certificate("stationarity", 1.2e-7, 3.4e-7)


def fitted(stop: str, weights: tuple[float, ...] = (0.0, 1.0, -2.0)) -> Fit:
    trace = (TracePoint(1234, 0.5, GAP, 1.25, 45.6, 2),)
    result = FitResult(np.array(weights), 0.5, GAP, stop, 1.25, 45.6, trace)
    return Fit("mcp", "proximal-newton", {}, 0.1, 0.01, 1.0, ("a", "b", "c"), result)


def test_a_gap_is_a_promise_about_every_model_and_a_residual_only_about_neighbours() -> None:
    assert certificate_words(GAP).startswith("No model whatever has an objective lower by more than 3.4e-7")
    assert "within 3.4e-7 λ of zero" in certificate_words(RESIDUAL)
    assert "another start may end elsewhere" in certificate_words(RESIDUAL)


@pytest.mark.parametrize(
    ("stop", "words"),
    [
        ("converged", "Converged after"),
        ("step limit", "Step limit reached after"),
        ("time limit", "Time limit reached after"),
        ("stopped", "Stopped after"),
        ("no further progress", "No further progress possible in double precision after"),
    ],
)
def test_every_end_has_its_words_and_says_what_it_took(stop: str, words: str) -> None:
    sentence = stop_words(fitted(stop))
    assert sentence.startswith(words)
    assert sentence.endswith("1,234 steps, 1.2 s of solver time, 46 passes over X.")


def test_the_number_of_features_is_of_those_that_could_be_kept() -> None:
    assert kept_words(fitted("converged"), 54) == "MCP keeps 2 of 54 features"


def test_an_empty_model_is_called_empty() -> None:
    assert (
        kept_words(fitted("converged", (0.0, 0.0)), 54) == "MCP keeps none of 54 features: the model is empty at this C"
    )
