"""Table 1 as drawn: ours filled, published open at its own value, significantly worse in brackets."""

from __future__ import annotations

from core.experiments.infinite_push.published_top import PublishedTop
from core.experiments.infinite_push.top_table import METHODS, MeanDeviation, TopRow
from core.figures.top.table import table_sentence, top_table_figure
from tests.says import assert_says

L1, L2, RANK = METHODS


def row(method: str, top: float, p: float | None, s: str = "sonar", published: PublishedTop | None = None) -> TopRow:
    holm = None if p is None else min(2 * p, 1.0)
    return TopRow(s, method, 10, MeanDeviation(top, 0.1), MeanDeviation(20.0, 3.0), p, holm, published)


ROWS = [row(L1, 0.6, None, published=PublishedTop(0.44, 0.2, 23.7, 6.5)), row(L2, 0.5, 0.03), row(RANK, 0.4, 0.2)]


def test_ours_and_the_published_figures_share_a_row() -> None:
    figure = top_table_figure(ROWS)
    published = [(trace.x[0], trace.y[0]) for trace in figure.data if trace.name == "published"]
    ours = [(trace.x[0], trace.y[0]) for trace in figure.data if trace.name == "sonar, ℓ1 infinite push"]
    assert published == [(0.44, 0), (23.7, 0)]
    assert ours == [(0.6, 0), (20.0, 0)]


def test_significantly_worse_is_in_brackets_by_the_chosen_p_values() -> None:
    names = top_table_figure(ROWS).layout.yaxis.ticktext
    assert [name.startswith("(") for name in names] == [False, True, False]
    adjusted = top_table_figure(ROWS, adjusted=True).layout.yaxis.ticktext
    assert not any(name.startswith("(") for name in adjusted)


def test_the_title_counts_sets() -> None:
    other = [row(L1, 0.3, 0.03, "wine"), row(RANK, 0.6, None, "wine")]
    plain, adjusted = (table_sentence([*ROWS, *other], adjusted=holm) for holm in (False, True))
    assert_says(plain, "ℓ1 infinite push", "best on top", "1 of 2 sets", "1", "not significantly worse")
    assert_says(adjusted, "ℓ1 infinite push", "best on top", "1 of 2 sets", "2", "not significantly worse")
    assert_says(table_sentence([]), "Nothing")
