"""CSV that gives back what was put in.

LaTeX that says what the table says, and that a reader of LaTeX can read.
Markdown that shows what the table says, whatever stands in it.
TREC's run and qrels: the form of their lines, and an order that no other tool can change.
A script is Python, whatever the names in it, and says where its data come from.
"""

import ast
import csv
import io
import math
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import core
from core.analysis.features.rules import Rules
from core.data import DataError, Reading
from core.experiments.results.printed_table import Entry, Table
from core.export.scripts.description import DataDescription, MethodDescription, ModelDescription
from core.export.scripts.picture import picture_script
from core.export.scripts.writing import WIDTH, Code, call, comment
from core.export.table_formats import csv_text, escaped, latex_table, markdown_table
from core.export.trec import trec_names, trec_qrels, trec_run
from core.figures.features.distributions import RelevanceLevels
from core.figures.fit.picture import WeightsPicture
from core.methods import METHODS, Method
from core.names.plain import from_spreadsheet
from core.names.tables import frame_csv
from tests.oracles import judged
from tests.says import assert_says


@given(st.lists(st.floats(allow_nan=False), min_size=1))
def test_every_float_survives_the_way_there_and_back(values: list[float]) -> None:
    text = csv_text([{"x": value} for value in values])
    assert [float(row["x"]) for row in csv.DictReader(io.StringIO(text))] == values
    assert [math.copysign(1.0, float(row["x"])) for row in csv.DictReader(io.StringIO(text))] == [
        math.copysign(1.0, value) for value in values
    ]


def test_words_with_commas_quotes_and_lines_survive() -> None:
    words = {"a": 'Lai et al. 2013, "Table 2"', "b": "two\nlines", "ℓ0.5": "−"}
    (row,) = csv.DictReader(io.StringIO(csv_text([words])))
    assert row == words


def test_columns_are_those_of_all_rows_and_what_is_not_there_is_empty() -> None:
    assert csv_text([{"a": 1, "b": None}, {"c": True}]) == "a,b,c\n1,,\n,,True\n"
    assert csv_text([]) == "\n"


@given(st.lists(st.text(st.sampled_from("=+-@;,\t\n\r\v \"'\x00\xa0\u200b\ufeffa1.e＝"), max_size=8), min_size=1))
def test_no_cell_is_a_formula_wherever_a_spreadsheet_splits(names: list[str]) -> None:
    table = [{"name": name, "number": number} for name in names for number in (-1.5, 3e-4)]
    for text in (csv_text(table), frame_csv(pd.DataFrame(table))):
        for separator in ",;\t":
            cells = [cell for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator) for cell in row]
            assert not [cell for cell in cells if _is_formula(cell)], (separator, cells)
        if any("\r" in name for name in names):
            continue  # Python's writer sets it without quotation marks
        rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row][1:]
        assert [from_spreadsheet(row[0]) for row in rows] == [name for name in names for _ in range(2)]
        assert [float(row[1]) for row in rows] == [-1.5, 3e-4] * len(names)


def _is_formula(cell: str) -> bool:
    """Whether a spreadsheet may compute a cell: a number it reads, and what follows one in a line it does not."""
    seen = re.sub(r"^[\s\x00-\x1f\u200b\ufeff]+", "", cell)
    return seen.startswith(("=", "+", "-", "@", "＝")) and not re.fullmatch(
        r"[+-]?[0-9.]+(e[+-]?[0-9]+)?(,.*)?", seen, re.S
    )


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


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.id)
def test_every_method_has_a_name_in_latex(method: Method) -> None:
    parameters = [parameter.symbol for parameter in method.parameters]
    for text in (method.title, *(variant.title for variant in method.variants), *parameters):
        assert escaped(text).isascii(), text


def test_a_table_in_latex_has_the_lines_of_booktabs_and_its_marks_are_explained() -> None:
    assert [line.strip() for line in latex_table(TABLE).splitlines()][1:] == [
        r"\begin{table}",
        r"\centering",
        r"\caption{MAP of 50\,\% \& more. $\ell_{0.5}$ $\sim$ as good, p $<$ 0.05."
        r"\ $\dagger$: significantly worse than the best.}",
        r"\label{tab:table5-map}",
        r"\begin{tabular}{llr}",
        r"\toprule",
        r"method & A\_1 & n \\",
        r"\midrule",
        r"RankSVM $\ell_{1}$ & \textbf{0.4802} & 3 \\",
        r"a\#b & 0.4708$^\dagger$ {\footnotesize $-$2.0\,\%, p = 0.008} & $-$4 \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]


def test_a_table_has_its_title_marks_and_note() -> None:
    first = (Entry("l1* | a"), Entry("0.48", "~"), Entry("3"))
    assert markdown_table(replace(TABLE, rows=(first, *TABLE.rows))).splitlines() == [
        "**MAP of 50 % & more**",
        "",
        r"| method | A\_1 | n |",
        "| --- | --- | --: |",
        r"| l1\* \| a | 0.48 ~ | 3 |",
        "| RankSVM ℓ1 | **0.4802** | 3 |",
        r"| a#b | 0.4708 −2.0 %, p = 0.008 † | -4 |",
        "",
        "ℓ0.5 ~ as good, p &lt; 0.05.",
    ]


def test_the_lines_are_those_that_trec_eval_reads() -> None:
    data = judged([0, 2], [1], query_ids=["401", "402"], document_ids=["FT-1", "LA-2", "FT-1"])
    assert trec_qrels(data) == "401 0 FT-1 0\n401 0 LA-2 2\n402 0 FT-1 1\n"
    assert trec_run(data, [0.5, 2.25, -1.0]) == (
        "401 Q0 LA-2 1 2.25 {0}\n401 Q0 FT-1 2 0.5 {0}\n402 Q0 FT-1 1 -1 {0}\n".format("sparse-ranking-lab")
    )


values = st.sampled_from([0.0, -0.0, 1.0, 1.0 + 1e-12, 1.0 - 1e-9, -3.5, 1e-300, 1e30, 1.0000001])


@given(lists=st.lists(st.lists(values, min_size=1, max_size=8), min_size=1, max_size=4))
@settings(deadline=None, max_examples=80)
def test_sorting_by_the_float32_of_the_score_gives_our_order_with_ties_in_file_order(lists: list[list[float]]) -> None:
    data = judged(*[[0] * len(scores) for scores in lists])
    rows = [line.split() for line in trec_run(data, np.concatenate(lists)).splitlines()]
    for query, scores in zip(data.query_ids, lists, strict=True):
        written = [row for row in rows if row[0] == query]
        expected = sorted(range(len(scores)), key=lambda row: -scores[row])
        assert [row[2] for row in written] == [f"{query}-{row + 1}" for row in expected]
        assert [row[3] for row in written] == [str(rank) for rank in range(1, len(scores) + 1)]
        falling = np.array([row[4] for row in written], dtype=np.float32)
        assert (np.diff(falling) < 0).all()
        np.testing.assert_allclose(falling, [scores[row] for row in expected], rtol=2e-6, atol=1e-40)


@pytest.mark.parametrize(
    ("ids", "numbered"),
    [
        ({"query_ids": ["a", "b"], "document_ids": ["x", "y", "x"]}, ()),
        ({"query_ids": ["a", "b"]}, ("documents",)),
        ({"query_ids": ["two words", "b"], "document_ids": ["x", "y", "x"]}, ("queries",)),
        ({"query_ids": ["a", "b"], "document_ids": ["x", "x", "y"]}, ("documents",)),
        ({"query_ids": ["a", "b"], "document_ids": ["x", "", "y"]}, ("documents",)),
    ],
)
def test_ids_that_a_line_cannot_hold_are_numbered(ids: dict[str, list[str]], numbered: tuple[str, ...]) -> None:
    data = judged([0, 1], [1], **ids)
    assert trec_names(data).numbered == numbered
    assert all(len(line.split()) == 6 for line in trec_run(data, [1, 2, 3]).splitlines())
    names = [tuple(line.split()[::2]) for line in trec_qrels(data).splitlines()]
    assert len(set(names)) == 3


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(DataError, match="scale them"):
        trec_run(judged([1]), [1e39])


NASTY = '"""\nimport os; os.remove("x") #\u2028 \'.csv'


def described(name: str = "planted", **more: object) -> DataDescription:
    return DataDescription(name, 1, f"{name}, Fold1", more.pop("reading", Reading()), **more)  # type: ignore[arg-type]


def levels_script(data: DataDescription, part: str = "train") -> str:
    fold = core.open_dataset("planted").fold(1)
    return picture_script(RelevanceLevels(fold.parts()[part]), data, fold)


def statements(script: str) -> list[str]:
    return [ast.unparse(node) for node in ast.parse(script).body]


@pytest.mark.parametrize("name", [NASTY, "it's.csv", 'say "hi".csv', "back\\slash.csv", "ünï.csv"])
def test_no_name_gets_out_of_its_quotation_marks(name: str) -> None:
    script = levels_script(described(name, uploaded=True))
    assert statements(script) == [
        *statements(levels_script(described()))[:1],
        f"dataset = open_dataset({name!r})",
        "fold = dataset.fold(1)",
        "picture = pictures.relevance_levels(fold.train)",
        "print(picture.table)",
        "picture.save('labels')",
    ]


def test_a_file_of_ones_own_is_named_and_asked_for() -> None:
    assert_says(levels_script(described("mine.csv", uploaded=True)), "put mine.csv", "folder")
    assert "SPARSE_RANK_DATA" in levels_script(described(own=True))
    sample = levels_script(described())
    assert "SPARSE_RANK_DATA" not in sample
    assert "put planted" not in sample


def test_data_are_read_as_the_app_reads_them() -> None:
    reading = Reading(scale="standard", repeats=10, positive="M", drop_columns=("id",))
    script = levels_script(described("mine.csv", reading=reading), "vali")
    opened = script.split("dataset = ")[1].split("\nfold")[0]
    assert eval(opened.rsplit(".open(", 1)[0], {"Reading": Reading}) == reading
    assert "pictures.relevance_levels(fold.vali)" in script


def test_options_are_those_of_fit_and_defaults_are_left_out() -> None:
    rules = Rules.of(20, off=[2], forced=[0], costs=np.array([1.0] * 19 + [2.5]), helps=[4])
    usual = core.get_method("log").settings(None)
    method = MethodDescription("log", usual | {"epsilon": 0.3}, rules)
    assert method.options == {"parameters": {"epsilon": 0.3}, "off": [3], "must": [1], "costs": {20: 2.5}, "helps": [5]}
    assert MethodDescription("log", usual).options == {}
    fold = core.open_dataset("planted").fold(1)
    model = ModelDescription(method, np.float64(0.5), "reweighted-fista", 1e-3, "Mind the step.")
    picture = WeightsPicture(core.fit(fold, "log", C=0.5))
    script = picture_script(picture, described(), fold, {"model": model})
    assert "# Mind the step." in script
    fitted = next(line for line in statements(script) if line.startswith("model"))
    assert fitted == (
        "model = fit(fold, 'log', C=0.5, solver='reweighted-fista', tol=0.001, parameters={'epsilon': 0.3}, "
        "off=[3], must=[1], costs={20: 2.5}, helps=[5], convention=dataset.convention)"
    )


def test_long_calls_stand_on_several_lines_and_mean_the_same() -> None:
    long = call("f", *range(60), name=Code("x"))
    assert all(len(line) <= WIDTH for line in long.splitlines())
    assert ast.unparse(ast.parse(long)) == f"f({', '.join(map(str, range(60)))}, name=x)"
    assert call("f", 1, "a") == 'f(1, "a")'


def test_a_comment_never_ends_before_its_text() -> None:
    assert all(line.startswith("# ") for line in comment(NASTY * 5).splitlines())
