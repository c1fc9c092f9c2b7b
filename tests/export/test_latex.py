"""LaTeX that says what the table says, and that a reader of LaTeX can read."""

from __future__ import annotations

import re

import pytest

from core.experiments.results.printed_table import Entry, Table
from core.export.latex import escaped, latex_table
from core.methods import METHODS, Method

TABLE = Table(
    name="table5 map",
    title="MAP of 50 % & more",
    note="ℓ0.5 ~ as good, p < 0.05.",
    head=("method", "A_1", "n"),
    rows=(
        (Entry("RankSVM ℓ1"), Entry("0.4802", mark="best"), Entry("3")),
        (Entry("a#b"), Entry("0.4708", "−2.0 %, p = 0.008", "worse"), Entry("-4")),
    ),
    numbers=(),
    numeric=frozenset({2}),
)


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("ℓ0.5 & 3 %", "$\\ell_{0.5}$ \\& 3\\,\\%"),
        ("a_b {c} $d$ #e ^f ~", "a\\_b \\{c\\} \\$d\\$ \\#e \\textasciicircum{}f $\\sim$"),
        ("\\frac", "\\textbackslash{}frac"),
        ("0.1 ± 0.2 −1 -1 +2", "0.1 $\\pm$ 0.2 $-$1 $-$1 +2"),
        ("rwfs-l0, 2014-01", "rwfs-l0, 2014-01"),
        ("λ < κ", "$\\lambda$ $<$ $\\kappa$"),
        ("γ = 2", "$\\gamma$ = 2"),
    ],
)
def test_text_is_escaped(text: str, latex: str) -> None:
    assert escaped(text) == latex


def test_rows_have_as_many_cells_as_the_head_and_lines_of_booktabs() -> None:
    lines = [line.strip() for line in latex_table(TABLE).splitlines()]
    rows = [line for line in lines if line.endswith("\\\\")]
    assert rows[0] == "method & A\\_1 & n \\\\"
    assert [len(re.findall(r"(?<!\\)&", row)) for row in rows] == [2, 2, 2]
    assert "\\begin{tabular}{llr}" in lines
    rules = [line for line in lines if line.endswith("rule")]
    assert rules == ["\\toprule", "\\midrule", "\\bottomrule"]


def test_braces_and_environments_close() -> None:
    text = re.sub(r"\\[{}]", "", latex_table(TABLE))
    assert text.count("{") == text.count("}")
    assert re.findall(r"\\begin\{(\w+)\}", text) == ["table", "tabular"]
    assert re.findall(r"\\end\{(\w+)\}", text) == ["tabular", "table"]
    assert len(re.findall(r"(?<!\\)\$", text)) % 2 == 0


def test_nothing_beyond_ascii_is_left() -> None:
    assert latex_table(TABLE).isascii()


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.id)
def test_every_method_has_a_name_in_latex(method: Method) -> None:
    parameters = [parameter.symbol for parameter in method.parameters]
    for text in (method.title, *(variant.title for variant in method.variants), *parameters):
        assert escaped(text).isascii(), text


def test_the_best_is_bold_and_what_is_worse_has_a_dagger_that_is_explained() -> None:
    text = latex_table(TABLE)
    assert "& \\textbf{0.4802} &" in text
    assert "0.4708$^\\dagger$ {\\footnotesize $-$2.0\\,\\%, p = 0.008}" in text
    assert re.search(r"\$\\dagger\$: [^}]*significantly worse[^}]*\}", text)
    caption = "\\caption{MAP of 50\\,\\% \\& more. $\\ell_{0.5}$ $\\sim$ as good, p $<$ 0.05."
    assert caption in text
    assert "\\label{tab:table5-map}" in text
