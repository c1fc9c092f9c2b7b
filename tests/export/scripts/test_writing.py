"""A script is Python, whatever the names in it, and says where its data come from."""

import ast

import numpy as np
import pytest

import core
from core.analysis.features.rules import Rules
from core.data import Reading
from core.export.scripts.description import DataDescription, MethodDescription, ModelDescription
from core.export.scripts.picture import picture_script
from core.export.scripts.writing import WIDTH, Code, call, comment
from core.figures.features.distributions import RelevanceLevels
from core.figures.fit.weights_picture import WeightsPicture
from tests.says import assert_says

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
