"""Markdown that shows what the table says, whatever stands in it."""

from __future__ import annotations

from core.experiments.results.printed_table import Entry, Table
from core.export.markdown import markdown_table

TABLE = Table(
    name="t",
    title="Best | worst",
    note="p < 0.05",
    head=("method", "my_set"),
    rows=((Entry("l1*"), Entry("0.48", "~")), (Entry("l2"), Entry("0.50", mark="best")),
          (Entry("log"), Entry("0.40", "p = 0.01", "worse"))),
    numbers=(),
    numeric=frozenset({1}),
)  # fmt: skip


def test_a_table_has_its_title_marks_and_note() -> None:
    assert markdown_table(TABLE).splitlines() == [
        r"**Best \| worst**",
        "",
        r"| method | my\_set |",
        "| --- | --: |",
        r"| l1\* | 0.48 ~ |",
        "| l2 | **0.50** |",
        "| log | 0.40 p = 0.01 † |",
        "",
        "p &lt; 0.05",
    ]
