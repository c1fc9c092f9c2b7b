"""The page How numbers are made: its calculator against the definitions, and its words against the program."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from core.analysis.choosing import AVERAGED, RULE_TITLES, RULE_WORDS, RULES
from core.analysis.tuning.choice_noise import RESAMPLES
from core.data import RankingData
from core.experiments.results.statistics import RESAMPLES as DRAWS
from core.metrics import evaluate_ranking
from core.metrics.equal_values import EQUAL_DIGITS
from pages.shared.documents import read
from pages.views.numbers.page import DOCUMENTS
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, table_of
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded")

ROOT = Path(__file__).resolve().parents[4]


NO_LISTS = [
    ("0 1 x", "1 2 3", ("Relevance", "3", "'x'", "not a whole number")),
    ("0 1 1", "1 nan 3", ("Score", "2", "'nan'", "not a number")),
    ("0 1", "1 2 3", ("2 documents", "2 scores", "3")),
    ("٣ 1", "1 2", ("Relevance", "1")),
    (" ", "1", ("1", "1,000 numbers")),
]
"""Relevance and scores that cannot be a list, and what is said of them."""


def test_the_calculator_gives_the_official_value_and_the_mean_over_the_orders_of_ties(open_app: Open) -> None:
    """And says in a sentence what cannot be a list."""
    relevance, scores = [0, 2, 1, 0, 1], [1.0, 1.0, 1.0, 0.5, 0.5]
    app = open_app(
        "numbers", numbers_relevance=" ".join(map(str, relevance)), numbers_scores=", ".join(map(str, scores))
    )
    assert_fine(app)
    found = table_of(app, "MeanNDCG")
    for convention in ("standard", "letor3", "letor4"):
        official = evaluate_ranking(RankingData.build(np.zeros((5, 1)), relevance, [0, 5]), scores, convention)
        orders = []
        for order in permutations(range(5)):
            data = RankingData.build(np.zeros((5, 1)), [relevance[i] for i in order], [0, 5])
            strict = [scores[i] - 0.01 * place for place, i in enumerate(order)]  # Top counts ties, whatever the order
            broken, tied = (evaluate_ranking(data, s, convention) for s in (strict, [scores[i] for i in order]))
            orders.append(broken | {"Top": tied["Top"]})
        for measure in found.columns:
            mean = np.mean([values[measure] for values in orders])
            assert found.loc[convention, measure] == pytest.approx(mean)
            if convention != "standard":
                assert found.loc[f"{convention}, file", measure] == pytest.approx(official[measure])
    assert "standard, file" not in found.index
    assert "12 orders" in " ".join(caption.value for caption in app.caption)
    for relevance, scores, facts in NO_LISTS:
        app.text_input(key="numbers_relevance").set_value(relevance)
        app.text_input(key="numbers_scores").set_value(scores).run()
        assert_fine(app)
        assert_says(" ".join(info.value for info in app.info), *facts)


def test_the_words_say_what_the_program_does() -> None:
    text = " ".join(" ".join(read(f"explanation/{name}") for name in DOCUMENTS).split())
    assert all(f"`{rule}`, *{RULE_TITLES[rule]}*: {RULE_WORDS[rule]}" in text for rule in RULES)
    assert f"with replacement {RESAMPLES} times" in text
    assert f"({DRAWS:,} draws" in text
    assert f"{AVERAGED:,} bootstraps" in text
    assert f"agree to {EQUAL_DIGITS} digits" in text
    parser = (ROOT / "core" / "cli").glob("*.py")
    options = "".join(file.read_text(encoding="utf-8") for file in parser)
    assert all(f'"{option}"' in options for option in re.findall(r"--[a-z][a-z-]*", text))
