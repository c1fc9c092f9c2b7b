"""The house rules of imports: they only run downwards, and libraries stay in their rooms."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
# From the ground up. A module may import from its own room and from lower ones.
FLOORS = (
    {"core.work", "core.names"},
    {"core.penalties", "core.data"},
    {"core.losses", "core.metrics"},
    {"core.solvers"},
    {"core.methods"},
    {"core.analysis"},
    {"core.experiments"},
    {"core.figures"},
    {"core.export"},
    {"core.api"},
    {"core.terminal", "core.on_the_way", "core.warm_up", "core.option_types"},
    {"core.reading_words"},
    {"core.arguments"},
    {"core.protocol_command", "core.export_command", "core.import_command", "core.evaluate_command"},
    {"core.paper_command"},
    {"core.cli"},
    {"core.__main__"},
    {"pages.shared"},
    {"pages.views"},
    {"pages"},
    {"app"},
)
MODULES = sorted([*ROOT.glob("core/**/*.py"), *ROOT.glob("pages/**/*.py"), ROOT / "app.py"])


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> set[str]:
    """Every module a file imports, at its top or inside a function."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def room(module: str) -> str | None:
    rooms = [name for floor in FLOORS for name in floor if module == name or module.startswith(f"{name}.")]
    return max(rooms, key=len, default=None)


def floor(module: str) -> int:
    name = room(module)
    return next(level for level, names in enumerate(FLOORS) if name in names)


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_imports_run_downwards(path: Path) -> None:
    here = module_name(path)
    if here in ("core",):  # it names what others hold, and loads it when it is asked for
        assert imports(path) == {"importlib.import_module"}
        return
    for imported in imports(path):
        target = room(imported)
        if target is not None and target != room(here):
            assert floor(imported) < floor(here), f"{here} imports {imported}, which stands no lower"


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_streamlit_and_plotly_stay_in_their_rooms(path: Path) -> None:
    here = module_name(path)
    for imported in imports(path):
        library = imported.split(".")[0]
        if library == "streamlit":
            assert here.split(".")[0] in ("app", "pages"), f"{here} imports streamlit"
        if library == "plotly":
            assert here.startswith(("core.figures", "pages")), f"{here} imports plotly"


def test_no_modules_import_each_other_in_a_circle() -> None:
    names = {module_name(path) for path in MODULES}
    graph = {}
    for path in MODULES:
        targets = set()
        for imported in imports(path):
            parts = imported.split(".")
            prefixes = {".".join(parts[:k]) for k in range(1, len(parts) + 1)} & names
            targets |= {max(prefixes, key=len)} if prefixes else set()
        graph[module_name(path)] = targets - {module_name(path)}

    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join([*trail, name])
        if name not in done:
            for target in graph[name]:
                visit(target, (*trail, name))
            done.add(name)

    for name in graph:
        visit(name, ())


@pytest.mark.parametrize("path", sorted(ROOT.glob("pages/views/**/*.py")), ids=module_name)
def test_no_view_imports_another(path: Path) -> None:
    view = path.relative_to(ROOT / "pages" / "views").parts[0]
    for imported in imports(path):
        if imported.startswith("pages.views."):
            assert imported.split(".")[2] == view, f"{view} imports {imported}"


def test_every_door_opens_a_view_of_its_name() -> None:
    doors = {path.stem for path in ROOT.glob("pages/*.py")}
    assert doors == {path.parent.name for path in ROOT.glob("pages/views/*/page.py")}
    for door in doors:
        assert f"pages.views.{door}.page" in imports(ROOT / "pages" / f"{door}.py")


def test_every_room_is_on_a_floor() -> None:
    for path in MODULES:
        assert module_name(path) in ("core", "pages") or room(module_name(path)) is not None, path
