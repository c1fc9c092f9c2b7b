"""The three conventions for NDCG and precision: standard, LETOR 3.0 and LETOR 4.0."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.data import Convention
from core.data.nouns import DOCUMENTS, Nouns
from core.data.ranking_data import FloatArray, IntArray


@dataclass(frozen=True)
class CountingRules:
    """The rules in which the conventions differ; they share the gain 2^l − 1 and AP.

    Parameters
    ----------
    discount : callable
        Maps ranks (1, 2, …) to the weights of gains there.
    ndcg_needs_full_list : bool
        Whether a query with fewer than k documents has NDCG@k = 0.
    precision_needs_full_list : bool
        Whether a query with fewer than k documents has P@k = 0; if not, the missing documents count as not relevant.
    keeps_file_order : bool
        Whether an official script prints what tied documents have in the order of the file. Numbers to compare with
        print count so; all others are in expectation over their orders, under every convention.
    description : str
        The convention in words.
    of_classes : str
        The same where rows are positive or negative.
    """

    discount: Callable[[IntArray], FloatArray]
    ndcg_needs_full_list: bool
    precision_needs_full_list: bool
    keeps_file_order: bool
    description: str
    of_classes: str


def _discount_from_rank_two(ranks: IntArray) -> FloatArray:
    return np.asarray(1.0 / np.log2(ranks + 1.0))


def _discount_from_rank_three(ranks: IntArray) -> FloatArray:
    return np.asarray(1.0 / np.log2(np.maximum(ranks, 2)))


def _of_letor(version: str, short_lists: str, *, precision_needs_full_list: bool) -> CountingRules:
    """Return the rules of a version of LETOR; they differ in what a query with fewer than k documents counts."""
    return CountingRules(
        discount=_discount_from_rank_three,
        ndcg_needs_full_list=True,
        precision_needs_full_list=precision_needs_full_list,
        keeps_file_order=True,
        description=(
            f"{version}, as its official script counts: gain 2^l − 1, undiscounted at ranks 1 and 2 and divided by "
            f"log2(r) from there on. A query with fewer than k documents counts 0 in {short_lists}, and so does a "
            "query without relevant documents."
        ),
        of_classes=f"{version}: in NDCG a positive counts 1 at ranks 1 and 2, and 1 / log2(r) from there on.",
    )


_RULES: dict[Convention, CountingRules] = {
    "standard": CountingRules(
        discount=_discount_from_rank_two,
        ndcg_needs_full_list=False,
        precision_needs_full_list=False,
        keeps_file_order=False,
        description=(
            "Standard: in NDCG a document of relevance l at rank r counts (2^l − 1) / log2(r + 1), whether "
            "its list has k documents or fewer. A query without relevant documents counts 0."
        ),
        of_classes="Standard: in NDCG a positive at rank r counts 1 / log2(r + 1).",
    ),
    "letor3": _of_letor("LETOR 3.0", "NDCG@k and P@k", precision_needs_full_list=True),
    "letor4": _of_letor("LETOR 4.0", "NDCG@k (though not in P@k)", precision_needs_full_list=False),
}


def counting_rules(convention: Convention) -> CountingRules:
    """Return the rules of a convention.

    Raises a `ValueError` if there is no convention of that name.
    """
    try:
        return _RULES[convention]
    except KeyError:
        msg = f"there is no metric convention {convention!r}; choose one of {', '.join(_RULES)}"
        raise ValueError(msg) from None


def describe_convention(convention: Convention, nouns: Nouns = DOCUMENTS) -> str:
    """Describe a convention in a few sentences for people.

    Raises a `ValueError` if there is no convention of that name.
    """
    rules = counting_rules(convention)
    tables = (
        "; tables of metrics keep the order of the file, as the official script does" if rules.keeps_file_order else ""
    )
    ties = f"{nouns.rows.capitalize()} with the same score count in expectation over their orders{tables}."
    return f"{rules.of_classes if nouns.by_class else rules.description} {ties}"
