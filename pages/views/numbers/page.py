"""The page How numbers are made: a calculator to check measures by hand, and every convention in words."""

from __future__ import annotations

import math
import re

import numpy as np
import pandas as pd
import streamlit as st

from core.data import Convention, RankingData
from core.data.numbers import read_number
from core.metrics import JudgedLists, Measure
from core.names.plain import in_markdown
from pages.shared.documents import show

CONVENTIONS: tuple[Convention, ...] = ("standard", "letor3", "letor4")
MEASURES = ("MAP", "NDCG@1", "NDCG@3", "NDCG@5", "NDCG@10", "P@5", "MeanNDCG", "Top")
LONGEST = 1000
DOCUMENTS = ("conventions", "choosing", "certificates")
_EXAMPLE = ("0, 2, 1, 0, 0, 1", "1, 1, 1, 0, 0, 0")


def render() -> None:
    """Draw the page; it needs no data and no model."""
    st.header("How is each number made?", anchor=False)
    st.markdown(
        "This page explains how every number of this program is computed, on which part of the data each choice is "
        "made, and what every ± and p means, so that you can check a number and quote it."
    )
    _calculator()
    for document in DOCUMENTS:
        show(f"explanation/{document}")


def _calculator() -> None:
    st.subheader("Check it by hand: one list", anchor=False)
    left, right = st.columns(2)
    with left:
        labels = st.text_input(
            "Relevance of its documents, in the order of the file", _EXAMPLE[0], key="numbers_relevance",
            bind="query-params", help="Whole numbers from 0, with commas or blanks between them.",
        )  # fmt: skip
    with right:
        scores = st.text_input(
            "Their scores", _EXAMPLE[1], key="numbers_scores", bind="query-params",
            help="One number a document, in the same order. The same score twice is a tie.",
        )  # fmt: skip
    try:
        relevance, scored = _relevance(labels), _scores(scores)
        if len(relevance) != len(scored):
            msg = f"{len(relevance)} documents need {len(relevance)} scores, and there are {len(scored)}"
            raise ValueError(msg)
    except ValueError as problem:
        st.info(f"{in_markdown(str(problem))}.")
        return
    st.dataframe(_table(relevance, scored).style.format("{:.4f}"), key="numbers_table")
    _, counts = np.unique(scored, return_counts=True)
    orders = math.prod(math.factorial(int(count)) for count in counts)
    st.caption(
        "No two documents have the same score."
        if orders == 1
        else f"Every number is the exact mean over the {orders:,} orders of documents with the same score, computed by "
        "a formula (McSherry & Najork 2008). *file*: they keep the order of the file, as in LETOR's official scripts; "
        "only tables under LETOR's conventions print that."
    )


def _table(relevance: list[int], scores: list[float]) -> pd.DataFrame:
    n = len(relevance)
    data = RankingData.build(np.zeros((n, 1)), relevance, [0, n])
    measures = [Measure.parse(name) for name in MEASURES]
    rows: dict[str, dict[str, float]] = {}
    for convention in CONVENTIONS:
        ranked = JudgedLists(data, convention).rank(scores)
        rows[convention] = {str(measure): ranked.mean(measure) for measure in measures}
        if convention != "standard":
            rows[f"{convention}, file"] = {str(measure): ranked.official.mean(measure) for measure in measures}
    return pd.DataFrame.from_dict(rows, orient="index")


def _words(text: str) -> list[str]:
    words = re.split(r"[\s,;]+", text.strip())
    if not text.strip() or len(words) > LONGEST:
        msg = f"Give between 1 and {LONGEST:,} numbers, with commas or blanks between them"
        raise ValueError(msg)
    return words


def _relevance(text: str) -> list[int]:
    words = _words(text)
    for place, word in enumerate(words, 1):
        if not re.fullmatch(r"[0-9]{1,2}", word, re.ASCII):
            msg = f"Relevance number {place}, {word[:20]!r}, is not a whole number from 0 to 99"
            raise ValueError(msg)
    return [int(word) for word in words]


def _scores(text: str) -> list[float]:
    numbers = []
    for place, word in enumerate(_words(text), 1):
        try:
            number = read_number(word)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            msg = f"Score number {place}, {word[:20]!r}, is not a number"
            raise ValueError(msg)
        numbers.append(number)
    return numbers
