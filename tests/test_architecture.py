"""The house rules of imports: they only run downwards, and libraries stay in their rooms."""

import ast
import re
from collections.abc import Sequence
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from tests.sources import nodes_of

ROOT = Path(__file__).resolve().parents[1]
# From the ground up. A module may import from its own room and from lower ones.
FLOORS = (
    {"core.code_version"},
    {"core.code_version", "core.program"},
    {"core.work", "core.names", "core.content", "core.values", "core.kernels", "core.threads"},
    {"core.penalties", "core.data"},
    {"core.losses", "core.metrics"},
    {"core.solvers"},
    {"core.methods"},
    {"core.analysis"},
    {"core.lessons"},
    {"core.experiments"},
    {"core.export.files", "core.export.html_report"},
    {"core.export.models"},
    {"core.models"},
    {"core.figures"},
    {"core.export"},
    {"core.api"},
    {"core.warm_up"},
    {"core.cli"},
    {"core.__main__"},
    {"core.package"},
    {"pages.shared"},
    {"pages.views"},
    {"pages"},
    {"app"},
)
MODULES = sorted([*ROOT.glob("core/**/*.py"), *ROOT.glob("pages/**/*.py"), ROOT / "app.py"])


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {module_name(path): path for path in MODULES}


@cache
def imports(path: Path) -> set[str]:
    """Every module a file imports, at its top or inside a function."""
    found = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@cache
def edges() -> list[tuple[str, str]]:
    """Every module, with each that it imports."""
    return [(here, imported) for here, path in NAMES.items() for imported in imports(path)]


def room(module: str) -> str | None:
    rooms = [name for floor in FLOORS for name in floor if module == name or module.startswith(f"{name}.")]
    return max(rooms, key=len, default=None)


def floor(module: str) -> int:
    name = room(module)
    return next(level for level, names in enumerate(FLOORS) if name in names)


def test_imports_run_downwards() -> None:
    assert imports(ROOT / "core" / "__init__.py") == {"lazy_loader"}, "it loads what is asked for"
    others = [(here, to) for here, to in edges() if here != "core" and room(to) not in (None, room(here))]
    assert not [f"{here} imports {to}, which stands no lower" for here, to in others if floor(to) >= floor(here)]


def test_streamlit_and_plotly_stay_in_their_rooms() -> None:
    rooms = {"streamlit": ("app", "pages"), "plotly": ("core.figures", "pages")}
    wrong = [
        f"{here} imports {imported}"
        for here, imported in edges()
        if (allowed := rooms.get(imported.split(".")[0])) and not f"{here}.".startswith(tuple(f"{r}." for r in allowed))
    ]
    assert not wrong


PUBLIC = {
    *("streamlit", "streamlit.delta_generator.DeltaGenerator", "streamlit.typing"),
    *("plotly", "plotly.colors", "plotly.graph_objects", "plotly.io", "plotly.offline", "plotly.subplots"),
    "plotly.utils",
}
INSIDE = {f"streamlit.{name}" for name in ("cli_util", "config", "file_util", "logger", "runtime")}
"""Modules that can be had from Streamlit's head, but are not what it promises."""
PRIVATE = {
    "pages.shared.server.visits": {"streamlit.runtime.scriptrunner.get_script_run_ctx"},
    "core.figures.look.drawing": {"_validate"},
}


def private_names(nodes: Sequence[ast.AST]) -> set[str]:
    """Imports from inside a library and attributes of others that begin with an underscore."""
    own, unseen, found = set(), set(), set()
    for node in nodes:
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            unseen |= set(ast.walk(node))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            own.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
            own.add(node.attr)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.add(node.id)
    for node in nodes:
        if node in unseen:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if not is_public(alias.name)}
        elif isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name for name in names if not is_public(str(node.module), name)}
        elif isinstance(node, ast.Attribute) and re.match("_[^_]", node.attr) and node.attr not in own | NAMED:
            found.add(node.attr)
        elif isinstance(node, ast.keyword) and node.arg == "_validate":
            found.add(node.arg)
    return found


NAMED = {"_repr_html_", "_replace", "_exit"}
"""Documented in spite of their underscore: of displays, named tuples and the system."""


def is_public(module: str, name: str = "") -> bool:
    """Whether a module may be imported, or a name from it."""
    if module.split(".")[0] not in ("streamlit", "plotly", "uvicorn"):
        return True
    return name in PUBLIC or (module in PUBLIC and name not in INSIDE)


def test_private_names_of_libraries_stand_in_one_module_each() -> None:
    found = {here: private_names(nodes_of(path)) for here, path in NAMES.items()}
    assert {here: names for here, names in found.items() if names} == PRIVATE


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {}
    for here, path in NAMES.items():
        targets = set()
        for imported in imports(path):
            parts = imported.split(".")
            prefixes = {".".join(parts[:k]) for k in range(1, len(parts) + 1)} & NAMES.keys()
            targets |= {max(prefixes, key=len)} if prefixes else set()
        graph[here] = targets - {here}
    circle: list[str] = []
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = error.args[1]
    assert not circle


def test_no_view_imports_another() -> None:
    between = [(here, to) for here, to in edges() if here.startswith("pages.views.") and to.startswith("pages.views.")]
    assert not [f"{here} imports {to}" for here, to in between if here.split(".")[2] != to.split(".")[2]]


def test_every_door_opens_a_view_of_its_name() -> None:
    doors = {path.stem for path in ROOT.glob("pages/[!_]*.py")}
    assert doors == {path.parent.name for path in ROOT.glob("pages/views/*/page.py")}
    for door in doors:
        assert f"pages.views.{door}.page" in imports(ROOT / "pages" / f"{door}.py")


def test_every_room_is_on_a_floor() -> None:
    assert not [here for here in NAMES if here not in ("core", "pages") and room(here) is None]


def test_what_a_click_says_to_a_page_is_kept_until_the_page_has_read_it() -> None:
    """A page may be drawn anew before it reaches the button: `pages.shared.controls` keeps the click.

    Nor does a toast reach the page where it is meant to: from a callback of a fragment it replaces the style sheet.
    """
    lost = []
    for path in ROOT.glob("pages/**/*.py"):
        nodes = list(nodes_of(path))
        unread = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        for node in nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                read = node.func.attr == "button" and id(node) not in unread
                if read or node.func.attr == "toast":
                    lost.append(f"{path.relative_to(ROOT)}, line {node.lineno}")
    assert not lost
