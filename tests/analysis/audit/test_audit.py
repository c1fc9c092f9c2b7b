"""An audit compares with independent answers, and notices what is wrong."""

import sys
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.analysis.audit import audit as audit_module
from core.analysis.audit.audit import Audit
from core.analysis.audit.independent import Check, NotCompared
from core.data import Fold, RankingData, open_dataset
from core.methods import Fit
from core.methods.method_run import MethodRun
from tests.oracles import ranking_problem
from tests.push_oracles import optimum as push_optimum

SMALL = ranking_problem(3, n_queries=12, n_features=6, n_levels=2)
FOLD = Fold("Fold1", SMALL, test=ranking_problem(4, n_queries=8, n_features=6))


def checks(fold: Fold) -> list[Check]:
    return [one for one in Audit.of(fold, "standard").found() if isinstance(one, Check)]


def apart(fold: Fold) -> list[str]:
    return [check.what for check in checks(fold) if not check.agrees]


def test_all_answers_on_the_sample_data_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """On as many of its queries as keep the explicit pairs and the linear program to seconds."""
    monkeypatch.setattr(audit_module, "MOST_ENTRIES", 400_000)
    monkeypatch.setattr(audit_module, "MOST_DOCUMENTS", 400)
    found = checks(open_dataset("planted").fold(2))
    assert [check.what for check in found if not check.agrees] == []
    assert {"λ_max of ℓ1", "ℓ1: objective, above by its gap at most"} <= {check.what for check in found}
    assert len(found) >= 20


def test_a_bound_that_is_too_high_and_a_model_that_is_too_bad_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = MethodRun.finish

    def with_gap(gap: float, raised: float) -> None:
        def wrong(self: MethodRun) -> Fit:
            fit = right(self)
            told = replace(fit.result.certificate, value=gap)
            return replace(fit, result=replace(fit.result, objective=fit.result.objective + raised, certificate=told))

        monkeypatch.setattr(MethodRun, "finish", wrong)

    with_gap(-1e-3, 0.0)
    assert any("proved bound" in what for what in apart(FOLD))
    with_gap(0.0, 1e-3)
    assert any("above by its gap" in what for what in apart(FOLD))
    assert any("objective of the ℓ1 model" in what for what in apart(FOLD))


def test_a_residual_that_is_larger_than_said_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = MethodRun.finish

    def moved(self: MethodRun) -> Fit:
        fit = right(self)
        return replace(fit, result=replace(fit.result, weights=fit.weights * 1.01))

    monkeypatch.setattr(MethodRun, "finish", moved)
    assert {what.split(":")[0] for what in apart(FOLD) if "residual" in what} == {"log", "MCP", "ℓ0.5"}


def test_the_linear_program_is_that_over_pairs() -> None:
    few = SMALL.take_queries([0, 1, 2])
    mine = audit_module._push_optimum(few, 0.05)
    assert mine == pytest.approx(push_optimum(few, 0.0, 0.05, np.ones(few.n_features)), abs=1e-7)


def test_too_many_pairs_are_compared_on_whole_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_module, "MOST_ENTRIES", SMALL.n_pairs * SMALL.n_features // 2)
    work = Audit.of(FOLD, "standard")
    assert 1 <= work.pairs.n_queries < SMALL.n_queries
    assert f"{work.pairs.n_queries} of {SMALL.n_queries} queries" in work.used[0]
    assert set(work.pairs.query_ids) <= set(SMALL.query_ids)


def test_what_no_other_library_measures_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent() -> Iterator[NotCompared]:
        work = Audit.of(FOLD, "standard")
        weights = np.ones(SMALL.n_features)
        yield from (
            one for one in audit_module._measures(FOLD, work.convention, weights) if isinstance(one, NotCompared)
        )

    assert list(absent()) == []
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    assert [one.what for one in absent()] == ["measures by ir_measures"]


def test_lists_that_no_model_can_lead_are_said_to_be_so() -> None:
    """With a feature that is the same for all of a list, no weights beat the top negative."""
    data = RankingData.build(np.repeat(np.arange(4.0), 3)[:, None], [1, 0, 0] * 4, np.arange(0, 13, 3))
    (check,) = audit_module._infinite_push(data)
    assert isinstance(check, Check)
    assert check.agrees
    assert "empty" in check.what
