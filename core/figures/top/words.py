"""What the top of lists shows, in sentences computed from its numbers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.analysis.choosing import best_fit, choosing_part, tells_apart
from core.analysis.path import PathPoint
from core.analysis.path_views import ratio_of, telling_part
from core.analysis.top_strips import TopStrips
from core.data.nouns import DOCUMENTS, Nouns
from core.figures.path.tuning import PART_WORDS
from core.methods import get_method
from core.methods.families import model_title
from core.names.counted import features
from core.names.numbers import short

TOP = "Top"
Shares = Mapping[str, NDArray[np.float64]]


def headline(title: str, point: PathPoint, part: str, *, one_list: bool) -> str:
    """Say how many positives the model at the chosen C ranks on top."""
    kept = point.fit.result.nonzero
    if point.fit.result.stop == "time limit":
        gap = short(point.fit.result.certificate.relative)
        return (
            f"{title} takes longer at this C: stopped early with {features(kept)}, gap {gap}; the Fit page finishes it"
        )
    return top_words(title, str(kept), percent(point.metrics[part][TOP]), part, one_list=one_list)


def percent(share: float) -> str:
    """A share without its sign."""
    return f"{100 * share:.0f}"


def top_words(title: str, size: str, top: str, part: str, *, one_list: bool) -> str:
    """Say the same of a model of the path; its size, and the percentage on top, may be ranges."""
    whose = "the" if one_list else "a list's"
    return f"{title} ranks {top} % of {whose} {PART_WORDS[part]} positives above every negative, with {features(size)}"


def model_words(point: PathPoint, part: str) -> str:
    """Describe the model at the chosen C, and say how many positives it ranks on top."""
    return (
        f"C = {short(point.fit.c)}, λ/λ_max = {short(ratio_of(point))}: {_title(point)} keeps "
        f"{features(point.fit.result.nonzero)}, {PART_WORDS[part]} {TOP} {point.metrics[part][TOP]:.4f}"
    )


def _title(point: PathPoint) -> str:
    return model_title(get_method(point.fit.method), point.fit.parameters)


def strips_title(strips: TopStrips, nouns: Nouns = DOCUMENTS) -> str:
    """Say how many positives are on top of this list, and how many negatives keep the others below."""
    n, on_top = len(strips.positives), strips.on_top
    if strips.positives[0] == strips.negatives[-1] == 0.0:
        return f"Every {nouns.row} has the same score: none is on top"
    if on_top == n:
        return f"All {n:,} positives score above every negative"
    return strips_words(f"{on_top:,}", n, f"{strips.beaten:,}")


def strips_words(on_top: str, positives: int, beaten: str) -> str:
    """Say the same with numbers that may be ranges."""
    above = "1 negative scores" if beaten == "1" else f"{beaten} negatives score"
    return f"{on_top} of {positives:,} positives score above every negative; {above} as high as the lowest positive"


def lists_title(shares: Shares, titles: Mapping[str, str], empty: Collection[str] = ()) -> str:
    """Say in how many lists each method ranks a relevant document first; the chosen method comes first.

    The models of ``empty`` methods keep no feature: they have no order, so it would mislead to count.
    """
    first = {method: f"{np.count_nonzero(row > 0.0):,}" for method, row in shares.items()}
    return first_words(first, len(next(iter(shares.values()))), titles, empty)


def first_words(first: Mapping[str, str], total: int, titles: Mapping[str, str], empty: Collection[str] = ()) -> str:
    """Say the same of numbers of lists that may be ranges, of so many lists in all."""
    (method, count), *others = first.items()
    if total == 0:
        return "No list of this part has relevant and irrelevant documents"
    if method in empty:
        beside = "".join(
            f"; by {titles[m]} it is relevant in {n} of {total:,} lists" for m, n in others if m not in empty
        )
        return f"{titles[method]} keeps no feature at this C, so no document comes first{beside}"
    beside = "".join(f"; {titles[m]} keeps no feature" if m in empty else f", by {titles[m]} in {n}" for m, n in others)
    return f"Ranked by {titles[method]}, the first document is relevant in {count} of {total:,} lists{beside}"


def along_title(paths: Mapping[str, Sequence[PathPoint]], titles: Mapping[str, str]) -> str:
    """Say what each method reaches with the model that is best on the validation part."""
    said = []
    for method, points in paths.items():
        chosen_on = choosing_part(points[0].metrics)
        worth = [point.judgement.metrics[chosen_on][TOP] for point in points]
        best = points[best_fit(worth, [point.fit for point in points])]
        part = telling_part(best)
        if not tells_apart(worth):
            told = PART_WORDS[chosen_on]
            said.append(f"{titles[method]} unknown, as {told} {TOP} is {worth[0]:.4f} at every C and cannot choose one")
            continue
        said.append(f"{titles[method]} with {features(best.fit.result.nonzero)} {best.metrics[part][TOP]:.4f}")
    by = "validation" if "vali" in next(iter(paths.values()))[0].metrics else "training"
    return f"{PART_WORDS[part].capitalize()} {TOP} of the models best on {by}: {'; '.join(said)}"
