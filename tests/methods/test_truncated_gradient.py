"""TGRank and RSRank stop where their readers' paper says, and people are told what it leaves open."""

from __future__ import annotations

import pytest

from core.methods import Method, get_method
from tests.oracles import ranking_problem

DATA = ranking_problem(3, n_queries=3, n_documents=8, n_features=30)


@pytest.mark.parametrize("method", [get_method("tgrank"), get_method("rsrank")], ids=lambda m: m.id)
def test_the_papers_t_ends_it_and_its_accuracy_is_said_to_be_anothers(method: Method) -> None:
    """Lai et al. 2013, sections 8.3 and 8.5.1: T = 1000; epsilon = 0.001 is FenchelRank's."""
    assert "T = 1000" in method.stopping
    assert "FenchelRank's gap" in method.stopping
    assert "below 1e-6" in method.stopping
    training = method.training(DATA)
    early, late = (method.fit(training, training.lam_at(ratio)).result for ratio in (0.9, 1e-7))
    assert early.stop == "converged"
    assert early.certificate.relative <= 1e-6
    assert (late.stop, late.steps) == ("the paper's step limit", 1000)
