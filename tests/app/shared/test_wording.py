"""What a fit's numbers mean, in sentences."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from core.analysis.endings import CHOSEN_BY_A_MODEL_THAT, STOP_WORDS, ended_words
from core.analysis.evaluation import Judgement
from core.analysis.fit_records import certificate_record, fit_record
from core.cli.fit import fit_text
from core.data import open_dataset
from core.figures.fit.convergence import ending_words
from core.figures.look.style import certificate_label
from core.methods import METHODS, Fit, get_method
from core.solvers import Certificate, FirstStage, FitResult, StopReason, TracePoint
from core.solvers.base import CertificateKind
from pages.shared.wording import (
    REASONS,
    certificate_words,
    chosen_words,
    fit_ended,
    kept_words,
    query_words,
    query_words_first,
    reason_words,
    stop_words,
)
from tests.methods.certified import AMONG, fit_of
from tests.says import assert_says

GAP = Certificate("duality gap", 1.2e-7, 3.4e-7, among="")
RESIDUAL = Certificate("stationarity", 1.2e-7, 3.4e-7, among="")
OF_ALL = re.compile(
    r"\b(?:no|any)(?: other)? models? (?:whatever|anywhere|at all|there is|there are|that there|has an objective)|"
    r"\b(?:all|every) models? (?:whatever|there is|there are|that there)",
    re.IGNORECASE,
)
ROOT = Path(__file__).resolve().parents[3]


def fitted(
    stop: str, weights: tuple[float, ...] = (0.0, 1.0, -2.0), certificate: Certificate = GAP, method: str = "mcp"
) -> Fit:
    trace = (TracePoint(1234, 0.5, certificate, 1.25, 45.6, 2),)
    result = FitResult(np.array(weights), 0.5, certificate, stop, 1.25, 45.6, trace)
    return Fit(method, "proximal-newton", {}, 0.1, 0.01, 1.0, ("a", "b", "c"), result)


def recorded(fit: Fit) -> tuple[dict[str, Any], str]:
    """Its record, and what a terminal says of it."""
    record = fit_record(fit, Judgement({"train": {"MAP": 0.5}}), "standard")
    return record, fit_text(record | {"dataset": "x", "fold": 1})


def words_of(certificate: Certificate, method: str) -> str:
    return certificate_words(fitted("converged", certificate=certificate, method=method))


def test_a_gap_is_a_promise_about_every_model_and_a_residual_about_none() -> None:
    assert_says(words_of(GAP, "l1"), "No model at all", "objective", "lower", "3.4e-7", "its value")
    assert_says(words_of(RESIDUAL, "mcp"), "slope", "3.4e-7 λ", "zero", "not convex", "another start", "elsewhere")
    assert "minimum" not in words_of(RESIDUAL, "mcp"), "a slope of 0 is none yet"
    # ℓ1 with a feature that is forced in has no usable dual point, and is convex.
    assert "not convex" not in words_of(RESIDUAL, "l1")
    assert_says(words_of(RESIDUAL, "l1"), "3.4e-7 λ", "zero", "lower", "not known")


@pytest.mark.parametrize("unit", ["", "F", "L(0)"])
@pytest.mark.parametrize("among", ["", "on these features", "in this ℓ1 ball"])
@pytest.mark.parametrize("kind", ["duality gap", "stationarity"])
@pytest.mark.parametrize("method", ["l1", "mcp"])
def test_no_sentence_says_more_than_among_does(kind: CertificateKind, among: str, unit: str, method: str) -> None:
    said = words_of(Certificate(kind, 1e-3, 2e-3, unit, among=among), method)
    assert bool(OF_ALL.search(said)) == (kind == "duality gap" and not among)
    assert ("lower by more than" in said) == (kind == "duality gap")
    assert among in said


@pytest.mark.parametrize("method", [method.id for method in METHODS])
def test_page_terminal_and_mark_say_of_every_method_what_its_certificate_holds_among(method: str) -> None:
    fit = fit_of(method)
    certificate, among = fit.result.certificate, AMONG.get(method, "")
    said = certificate_words(fit)
    record, text = recorded(fit)
    assert record["certificate"]["among"] == (among or (None if certificate.kind == "stationarity" else ""))
    assert bool(OF_ALL.search(said)) == (certificate.kind == "duality gap" and not among)
    assert not OF_ALL.search(text)
    assert among in said
    assert ("among models" in text) == bool(among)
    assert among in text
    assert among in certificate_label(certificate.kind, certificate.share_of, certificate.among)


def test_one_sentence_of_all_pages_speaks_of_all_models_and_those_of_one_page_are_held_by_its_test() -> None:
    """They look at the certificate first; another would have to, too."""
    files = [path for room in ("core", "pages") for path in (ROOT / room).rglob("*.py")]
    speaking = {path for path in files if OF_ALL.search(path.read_text(encoding="utf-8"))}
    views = {path for path in speaking if path.is_relative_to(ROOT / "pages" / "views")}
    assert {path.name for path in speaking - views} == {"wording.py"}
    for path in views:
        test = (ROOT / "tests" / "app" / "views" / path.parent.name / "test_page.py").read_text(encoding="utf-8")
        assert "OF_ALL" in test, path
        assert re.search(rf"views\.{path.parent.name}(\.| import ){path.stem}\b", test), path


@pytest.mark.parametrize(
    ("stop", "words"),
    [
        ("the paper's rule", ("paper", "rule")),
        ("the paper's step limit", ("paper", "step limit")),
        ("step limit", ("step limit",)),
        ("no further progress", ("no further progress", "double precision")),
    ],
)
def test_every_end_has_its_words_and_is_not_called_converged_uncertified_and_has_its_gap_beside_it(
    stop: str, words: tuple[str, ...]
) -> None:
    fit = fitted(stop, certificate=Certificate("duality gap", 0.01, 0.017, among="on these features"), method="fsmrank")
    _, text = recorded(fit)
    for said in (stop_words(fit), ending_words(fit.result), text):
        assert "onverged" not in said
    sentence = stop_words(fit).lower()
    assert_says(sentence, *words, "1,234 steps", "1.2 s", "solver time", "46 passes over x")
    assert sentence.startswith((words[0], f"the {words[0]}"))
    assert ("paper" in sentence) == ("paper" in stop)
    assert_says(ending_words(fit.result), stop, "gap 0.017 of the objective", "on these features")
    assert_says(text, "duality gap 1.7e-02 of the objective", "on these features")
    assert ("--tol" in text) == stop.startswith("the paper's")
    assert ("--tol 1e-6" in text) == (stop == "the paper's rule")
    assert [ending_words(fitted(plain).result) for plain in ("converged", "stopped")] == ["converged", "stopped"]


def test_a_residual_without_features_that_are_off_compares_no_models() -> None:
    off = replace(RESIDUAL, among="without the features that are off")
    assert certificate_record(off)["among"] == "without the features that are off"
    _, text = recorded(fitted("step limit", certificate=off))
    assert "among models" not in text, "it compares none of them"
    assert_says(text, "stationarity 3.4e-07", "of lambda", "without the features that are off")


def test_what_converged_by_a_residual_converged_to_a_stationary_point() -> None:
    residual, gap = fitted("converged", certificate=RESIDUAL), fitted("converged")
    record, text = recorded(residual)
    assert record["stop"] == "converged", "the reason stays what programs read"
    assert_says(stop_words(residual).lower(), "converged", "stationary point", "1,234 steps")
    assert_says(reason_words(residual.result).lower(), "converged", "stationary point")
    ended = ending_words(residual.result)
    assert ended == ended_words(record)
    assert_says(ended, "converged", "stationary point")
    assert_says(text, f"\n{ended}", "1,234 steps")
    for said in (stop_words(residual), certificate_words(residual), ending_words(residual.result), text):
        assert "minim" not in said
        assert "optim" not in said
    assert (reason_words(gap.result), ending_words(gap.result)) == ("Converged", "converged")
    assert ended_words({"stop": "converged", "certificate": None}) == "converged", "a learner without one"


def test_the_end_of_a_fit_is_said_with_what_it_keeps() -> None:
    training = get_method("l1").training(open_dataset("planted").fold(1).train)
    run = get_method("l1").run(training, training.lam_at(0.1))
    fit = run.finish()
    assert_says(fit_ended(run), "Fit converged", f"{fit.result.nonzero} of 60 features")
    assert_says(fit_ended(None), "has ended")


def test_a_page_says_how_the_features_of_a_refit_were_chosen() -> None:
    papers = FirstStage("the paper's rule", Certificate("duality gap", 0.01, 0.0089, among=""))
    fit = fitted("converged")
    fit = replace(fit, result=replace(fit.result, first_stage=papers))
    sentence = chosen_words(fit.result)
    assert_says(sentence, "features", "chosen", "the paper's rule", "gap 8.9e-3 of the objective")
    assert certificate_words(fit).endswith(f"(duality gap). {sentence}")
    assert_says(reason_words(fit.result), "Converged", "features", "chosen", "the paper's rule")
    sure = replace(fit.result, first_stage=FirstStage("converged", RESIDUAL))
    assert reason_words(sure) == "Converged"
    assert_says(chosen_words(sure), "chosen", "converged", "stationary point", "residual 3.4e-7 of λ")
    assert chosen_words(fitted("converged").result) == ""


def test_every_reason_to_stop_has_words_on_pages_in_records_and_back() -> None:
    reasons = set(get_args(StopReason))
    assert set(REASONS) == set(STOP_WORDS) == set(CHOSEN_BY_A_MODEL_THAT) == reasons
    assert len(set(STOP_WORDS.values())) == len(set(REASONS.values())) == len(reasons)


@pytest.mark.parametrize(
    ("query_id", "words"),
    [("71", "query 71"), ("query 71", "query 71"), ("Query_71", "Query_71"), ("querying", "query querying")],
)
def test_a_query_whose_id_begins_with_that_word_is_not_called_query_twice(query_id: str, words: str) -> None:
    assert query_words(query_id) == words
    assert query_words_first(query_id) == "Q" + words[1:]


def test_the_number_of_features_is_of_all_and_an_empty_model_is_called_empty() -> None:
    assert_says(kept_words(fitted("converged")), "MCP", "2 of 3 features")
    assert_says(kept_words(fitted("converged", (0.0, 0.0))), "MCP", "none of 2 features", "empty", "this C")
