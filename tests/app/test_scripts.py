"""The Python script beside a picture, run by itself, gives the numbers that stand beside it."""

import html
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

from core.figures.picture import Picture
from core.methods import METHODS
from core.names.plain import in_markdown
from core.names.tables import frame_csv
from pages.shared import cache, keys
from pages.shared.choice import menu
from pages.views.tradeoff import folds
from tests.app.conftest import Open
from tests.app.fitting import at_rest, headline_of, nodes, press, until
from tests.cases import sweep
from tests.program_pages import EXPECTED

pytestmark = pytest.mark.usefixtures("all_unfolded")

ROOT = Path(__file__).resolve().parents[2]
POINTS = 6
"""Models of a path here: a script counts those of the app, however many they are."""
USUAL = {"dataset": "planted", "fold": "Fold2", "ratio": "0.1"}
FIRST, OTHERS = (
    [(page, *script) for page, one in EXPECTED.items() for script in one.scripts[which]]
    for which in (slice(1), slice(1, None))
)


@pytest.fixture(autouse=True)
def short_work(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Short paths, and few folds to go through, alike for the app and for scripts."""
    cache.clear()
    monkeypatch.setitem(folds.GRIDS, "quick", POINTS)
    monkeypatch.setattr(menu, "IDS", ("l1", "log", "fs-rank"))
    ratios = {method: method.ratios for method in METHODS}
    for method in METHODS:
        last = 0.5 if method.id == "l2" else 1e-3  # so strong a ridge makes the proofs of best subsets short
        object.__setattr__(method, "ratios", np.geomspace(1.0, max(method.ratios[-1], last), POINTS))
    yield
    for method, whole in ratios.items():
        object.__setattr__(method, "ratios", whole)
    cache.clear()


@pytest.mark.parametrize(("page", "query", "names"), sweep([*FIRST, *OTHERS], always=len(FIRST)))
def test_a_script_recomputes_the_table_of_its_picture(
    page, query, names, open_app: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_app(page, **(USUAL | query))
    assert keys.LINK_NOTE not in app.session_state, app.session_state[keys.LINK_NOTE]
    monkeypatch.chdir(tmp_path)
    if names == "tuning":  # a button begins it
        until(lambda: at_rest() and any(button.key == "tune" for button in app.run().button))
        press(app, "tune")
    for name in names.split():
        drawn = assert_recomputed_here(*picture(app, name), tmp_path, name)
        if isinstance(drawn, Picture):
            assert drawn.chart_key == name
            title, page = drawn.words(drawn.found).title, app.run()
            headlines = [element.value for element in (*page.header, *page.subheader)]
            assert title in titles_on(page.main, name) or in_markdown(title) in headlines
    if query.get("tradeoff_folds") == "all":
        assert headline_of(app).endswith("(Fold2)"), "the picture is over folds, the headline of one"


def assert_recomputed_here(shown: pd.DataFrame, script: str, folder: Path, name: str) -> object:
    """Run a script in this process, in a namespace of its own, and return its picture."""
    namespace: dict[str, object] = {"__name__": "__main__"}
    exec(compile(script, f"{name}.py", "exec"), namespace)
    assert "<html" in (folder / f"{name}.html").read_text(encoding="utf-8")[:200]
    (folder / "shown.csv").write_text(
        frame_csv(shown), encoding="utf-8"
    )  # numbers that are shown as text come back as numbers
    ours, theirs = (pd.read_csv(folder / f"{one}.csv") for one in (name, "shown"))
    assert differences(ours, theirs) == []
    return namespace["picture"]


def titles_on(block: Block, name: str) -> list[str]:
    """The titles over the pictures of this name."""
    bodies = [node.value for node in nodes(block) if node.type == "html"]
    titles = [re.findall(f'data-reading="title-{name}"[^>]*>(.*?)</div>', body) for body in bodies]
    return [html.unescape(text) for texts in titles for text in texts]


def picture(app: AppTest, name: str) -> tuple[pd.DataFrame, str]:
    """The table beneath a complete picture, and its script."""
    found: list[tuple[pd.DataFrame, str]] = []

    def complete() -> bool:
        if not at_rest():
            return False
        app.run()
        found[:] = beneath(app.main, f'picture.save("{name}")')
        return bool(found) and not any(str(button.key).endswith("_stop") for button in app.button)

    until(complete)
    return found[0]


def beneath(block: Block, words: str) -> Iterator[tuple[pd.DataFrame, str]]:
    """Table and script of the popovers whose script has these words."""
    for node in nodes(block):
        if node.type == "popover" and node.code and words in node.code[0].value:
            yield node.dataframe[0].value, node.code[0].value


def differences(ours: pd.DataFrame, shown: pd.DataFrame) -> list[str]:
    """Columns that differ, of the same rows in the same order; only the time that solvers took may."""
    if list(ours.columns) != list(shown.columns) or not len(ours) == len(shown) > 0:
        return [f"{list(ours.columns)} of {len(ours)} rows against {list(shown.columns)} of {len(shown)}"]
    timeless = [column for column in ours.columns if not column.startswith(("seconds", "passes"))]
    return [column for column in timeless if not alike(ours[column], shown[column])]


def alike(ours: pd.Series, shown: pd.Series) -> bool:
    if pd.api.types.is_numeric_dtype(shown):
        return bool(np.allclose(ours.astype(shown.dtype), shown, atol=1e-9, rtol=1e-9, equal_nan=True))
    return ours.fillna("").astype(str).tolist() == shown.fillna("").astype(str).tolist()
