"""Which column has the classes: the named one, the last, or the first with few values; and when a person must say."""

from __future__ import annotations

import numpy as np
import pytest

from core.data.errors import DataError, UndecidedColumnError
from core.data.tables.table_cells import OpenTable
from core.data.tables.table_format import ClassTable
from core.data.tables.table_options import TableOptions, resolve_column
from core.data.tables.table_text import csv_text
from tests.says import assert_says
from tests.uci_layouts import spectf_like, wpbc_like


def layout_of(content, options):
    return ClassTable.of(OpenTable.of(csv_text(content, "t.csv")), options).layout


N = 60
MEASURED = [f"{x:.3f}" for x in np.random.default_rng(0).normal(size=N)]
BINARY = [str(k % 2) for k in range(N)]
WORDS = ["ab"[k // 2 % 2] for k in range(N)]
IDS = [str(7 * k + 3) for k in range(N)]
NAMES = [f"s{k}" for k in range(N)]
FIVE = [str(k % 5) for k in range(N)]


def table(*columns: list[str], header: str = "") -> bytes:
    lines = [*([header] if header else []), *map(",".join, zip(*columns, strict=True))]
    return "".join(f"{line}\n" for line in lines).encode()


def position(content: bytes, **options: object) -> int | None:
    return layout_of(content, TableOptions(**options)).class_position  # type: ignore[arg-type]


def ids(content: bytes, **options: object) -> tuple[int, ...]:
    return layout_of(content, TableOptions(**options)).left_out  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (table(MEASURED, WORDS), 1),
        (table(BINARY, MEASURED, BINARY), 2),
        (table(BINARY, MEASURED, WORDS), 2),
        (table(BINARY, MEASURED, BINARY, header="sex,age,kind"), 2),
        (table(BINARY, MEASURED, BINARY, header="label,age,class"), 2),
        (table(MEASURED, BINARY, MEASURED, header="target,x,y"), 2),
    ],
    ids=["words last", "numbers last", "beside 0 and 1", "nameless header", "named and last", "y is last"],
)
def test_the_last_column_has_the_classes_wherever_it_did_before(content: bytes, expected: int) -> None:
    assert position(content) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (wpbc_like(), 1),
        (wpbc_like(header=True), 1),
        (spectf_like(), 0),
        (table(WORDS, MEASURED, MEASURED), 0),
        (table(IDS, BINARY, MEASURED, MEASURED), 1),
        (table(NAMES, BINARY, MEASURED, MEASURED), 1),
        (table(MEASURED, WORDS, MEASURED), 1),
        (table(MEASURED, FIVE, MEASURED, header="a,Diagnosis,b"), 1),
        (table(FIVE, MEASURED, FIVE, header="class,a,b"), 0),
    ],
)
def test_where_the_last_column_cannot_have_them_the_one_with_few_values_does(content: bytes, expected: int) -> None:
    assert position(content) == expected


def test_a_named_column_and_a_last_one_that_would_do_is_a_question() -> None:
    content = table(BINARY, MEASURED, WORDS, header="class,age,smoker")
    layout = layout_of(content, TableOptions())
    with pytest.raises(UndecidedColumnError) as caught:
        layout.decided("t.csv")
    assert_says(str(caught.value), "t.csv", "'class'", "'0', '1'", "'smoker'", "'a', 'b'", "choose the column")
    assert caught.value.columns == ("class", "smoker")


@pytest.mark.parametrize(
    "content",
    [
        table(BINARY, MEASURED, FIVE),
        table(WORDS, MEASURED, FIVE),
        table(IDS, BINARY, WORDS, MEASURED),
        table(BINARY, WORDS, MEASURED, header="class,label,x"),
    ],
    ids=["0 and 1 first, five numbers last", "words first, five numbers last", "two with few values", "two names"],
)
def test_what_cannot_be_told_is_asked(content: bytes) -> None:
    assert position(content) is None


def test_a_class_that_is_said_tells_its_column() -> None:
    content = table(BINARY, MEASURED, WORDS, header="class,age,smoker")
    assert (position(content, positive="1"), position(content, positive="b")) == (0, 2)
    assert position(table(BINARY, MEASURED, FIVE), positive="4") == 2
    assert position(table(BINARY, MEASURED, BINARY, header="class,age,smoker"), positive="1") is None


def test_a_measurement_that_happens_to_have_the_value_is_no_answer() -> None:
    measured = [str(k) for k in range(N)]
    assert position(table(BINARY, MEASURED, measured), positive="1") is None
    assert position(table(MEASURED, measured), positive="1") == 1, "nothing else can be meant"


def test_a_column_that_is_named_is_the_one() -> None:
    content = wpbc_like(header=True)
    for wanted in ("diagnosis", "DIAGNOSIS", "2", " diagnosis "):
        assert position(content, class_column=wanted) == 1
    assert position(table(BINARY, MEASURED, WORDS), class_column="1") == 0
    with pytest.raises(DataError, match=r"^t\.csv: .*no column 'kind'.*\bheader\b.*\bnumber\b"):
        position(content, class_column="kind")


def test_a_name_counts_before_a_number_and_case_before_neither() -> None:
    assert resolve_column("2", ["2", "b"], "t.csv") == 0
    assert resolve_column("B", ["b", "B"], "t.csv") == 1
    for wanted in ("0", "3", "-1", "bb", ""):
        with pytest.raises(DataError, match="no column"):
            resolve_column(wanted, ["a", "b"], "t.csv")


def test_ids_are_left_out_where_the_class_is_not_last() -> None:
    assert ids(wpbc_like()) == ids(wpbc_like(header=True)) == (0,)
    assert ids(spectf_like()) == ()
    assert ids(table(BINARY, IDS, MEASURED, header="class,sample_id,x")) == (1,)
    assert ids(table(BINARY, FIVE, MEASURED, header="class,id,x")) == (), "rows share values: no id"


def test_where_the_class_is_last_numbers_stay_features_and_names_of_rows_go() -> None:
    counted = layout_of(table(IDS, MEASURED, WORDS), TableOptions())
    assert counted.left_out == ()
    assert [column.position for column in counted.kept_ids] == [0], "but it is said"
    assert ids(table(NAMES, MEASURED, WORDS)) == (0,)


def test_leaving_out_one_of_two_columns_that_may_be_the_classes_says_it_is_the_other() -> None:
    content = table(BINARY, MEASURED, IDS, BINARY, header="class,age,income,smoker")
    assert layout_of(content, TableOptions()).class_position is None, "asked about"
    assert layout_of(content, TableOptions(drop_columns=("class",))).class_position == 3
    assert layout_of(content, TableOptions(class_column="class")).class_position == 0


def test_named_columns_go_beside_ids_or_instead_of_them() -> None:
    assert ids(wpbc_like(), drop_columns=("3",)) == (0, 2)
    assert ids(wpbc_like(), drop_columns=("none", "3")) == (2,)
    assert ids(wpbc_like(header=True), drop_columns=("time", "nodes", "none")) == (2, 34)
    with pytest.raises(DataError, match=r"'diagnosis'.*\bclasses\b.*\bcannot\b.*left out"):
        ids(wpbc_like(header=True), drop_columns=("2",))
