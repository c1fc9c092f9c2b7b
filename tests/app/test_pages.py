"""Every page can be drawn, for every choice there is.

No two files of the pages write the same key into the session or the address; what several use stands in keys.py.
"""

import ast
from collections import defaultdict
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.methods import METHODS, Training, get_method
from pages.shared import keys
from tests.app.conftest import Open
from tests.app.fitting import (
    UNGROUPED,
    at_rest,
    charts,
    chosen,
    control,
    fit,
    give,
    headline_of,
    nothing_on_top,
    press,
    status,
    until,
)
from tests.cases import sweep
from tests.program_pages import EXPECTED, PAGES
from tests.says import assert_says
from tests.sources import nodes_of

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")


def test_of_every_page_and_of_no_other_tests_know_what_to_expect() -> None:
    assert sorted(EXPECTED) == PAGES
    doors = {path.stem for path in (Path(__file__).resolve().parents[2] / "pages").glob("[!_]*.py")}
    assert doors == set(PAGES)


def test_every_page_says_under_a_heading_that_data_cannot_be_used(open_app: Open) -> None:
    app = open_app()
    give(app, ("mine.txt", UNGROUPED))
    for page in [page for page, one in EXPECTED.items() if one.share and "fold" not in one.hidden]:
        app.switch_page(f"pages/{page}.py").run()
        (heading,) = app.header
        assert_says(heading.value, "data", "cannot be used")
        assert "mine.txt" in app.error[0].value
        assert page != "methods" or app.button(key="use_l1"), "the cards stand all the same"
        own = any("Your own data" in text.value for text in app.markdown)
        assert page != "start" or own, "the way to other data remains"


PUSH = "infinite-push-l1"


def test_where_the_empty_model_is_optimal_every_page_says_so_and_leads_on(open_app: Open) -> None:
    app = give(open_app(), ("lists.txt", nothing_on_top()))
    app.session_state["method"] = PUSH
    app.switch_page("pages/data.py").run()
    assert_says(app.main.info[0].value, "optimal", "every λ")
    assert "queries" in headline_of(app), "the data is still shown"
    for name in [
        page for page, one in EXPECTED.items() if one.model and one.share and page not in ("start", "queries")
    ]:
        app.switch_page(f"pages/{name}.py").run()
        assert_says(headline_of(app), "infinite push ℓ1", "no feature", "any C")
        (said,) = [info.value for info in app.main.info if "every λ" in info.value]
        assert_says(said, "empty model", "optimal", "every λ")
        assert not app.error
        assert app.button(key=f"way_out_{PUSH}")
    beside_another_method_it_gets_a_sentence(app)
    app.session_state["method"] = PUSH
    press(app.run(), f"way_out_{PUSH}")
    share = dict(app.session_state["choice"].parameters)["top_share"]
    assert 0.0 < share <= 1.0
    assert get_method(PUSH).training(chosen(app).fold.train, {"top_share": share}).lam_max > 0.0


def beside_another_method_it_gets_a_sentence(app: AppTest) -> None:
    app.session_state["method"], app.session_state["beside"] = "l1", [PUSH]
    app.session_state["tradeoff_methods"] = ["l1", PUSH]
    for name in ("path", "tradeoff"):
        app.switch_page(f"pages/{name}.py").run()
        until(lambda: at_rest() and any("empty model" in info.value for info in app.run().main.info))
        until(lambda: at_rest() and len(charts(app.run())) > 0)
        (said,) = [info.value for info in app.main.info if "empty model" in info.value]
        assert_says(said, "infinite push ℓ1", "every λ")


@pytest.mark.parametrize("method", sweep((method.id for method in METHODS), always=3))
def test_every_method_is_fitted_from_the_default_choice(open_app: Open, method: str) -> None:
    app = open_app("fit", dataset="planted", method=method)
    assert control(app.selectbox, "method").value == method
    job = fit(app)
    # Frank-Wolfe and truncated gradients end at their papers' limit of steps.
    ends = dict.fromkeys(("fenchelrank", "tgrank"), ("paper", "step limit"))
    ends["fsmrank"] = ("paper", "rule")
    said = status(app).partition(".")[0]
    assert_says(said, *ends.get(method, ("Converged",)))
    assert ("paper" in said) == (method in ends)
    assert job.run is not None
    assert app.session_state["choice"].method_id == job.run.fit().method == method
    assert len(charts(app)) >= 2


@pytest.mark.fault
def test_a_fault_of_one_method_takes_nothing_else_away(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    broken, make = get_method("infinite-push-l1").loss, Training.lam_at

    def lam_at(training: Training, ratio: float) -> float:
        if training.recipe is broken:
            msg = "array must not contain infs or NaNs"
            raise ValueError(msg)
        return make(training, ratio)

    monkeypatch.setattr(Training, "lam_at", lam_at)
    app = open_app("path", dataset="planted", method="infinite-push-l1")
    assert "array must not contain infs or NaNs" in app.error[0].value
    assert "Choose another method" in app.error[0].value
    control(app.selectbox, "method").select("l1").run()
    assert app.session_state["choice"].method_id == "l1"
    assert not app.error


@pytest.mark.fault
def test_a_fault_of_a_page_is_a_sentence_on_it(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        msg = "of all things"
        raise ArithmeticError(msg)

    monkeypatch.setattr("pages.views.data.page.render", broken)
    app = open_app("data", dataset="planted", method="l1")
    assert "of all things" in app.error[0].value
    assert control(app.selectbox, "method").value == "l1"


FOLDER = Path(keys.__file__).parents[1]


def is_session(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in ("session_state", "query_params")


def keys_of(path: Path) -> set[str]:
    """The keys of the session, the address and of widgets that a file writes itself, as text or as its constants."""
    own, used = {}, list[ast.expr]()
    for node in nodes_of(path):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            own[node.targets[0].id] = node.value
        elif isinstance(node, ast.Subscript) and is_session(node.value):
            used.append(node.slice)
        elif isinstance(node, ast.Compare) and any(map(is_session, node.comparators)):
            used.append(node.left)
        elif isinstance(node, ast.Call):
            asks = isinstance(node.func, ast.Attribute) and node.func.attr in ("get", "pop", "setdefault")
            used += node.args[:1] if asks and is_session(node.func.value) else []  # type: ignore[attr-defined]
            used += [keyword.value for keyword in node.keywords if keyword.arg == "key"]
    values = [own.get(node.id, node) if isinstance(node, ast.Name) else node for node in used]
    return {node.value for node in values if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_no_two_files_write_the_same_key() -> None:
    users = defaultdict(list)
    for path in sorted(FOLDER.rglob("*.py")):
        shared = {value for name, value in vars(keys).items() if name.isupper()} if path.name == "keys.py" else set()
        for key in keys_of(path) | shared:
            users[key].append(path.relative_to(FOLDER).as_posix())
    assert len(users) > 100
    assert {key: files for key, files in users.items() if len(files) > 1} == {}
