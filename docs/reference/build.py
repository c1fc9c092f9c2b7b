"""The parts of the documentation that follow from the code: ``python docs/reference/build.py`` writes them anew.

Each stands between the lines ``<!-- generated: NAME -->`` and ``<!-- end of NAME -->``; a test holds them up to date.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.cli import parser  # noqa: E402
from core.data.reading import OF_A_FILE  # noqa: E402
from core.export.models.formats import MODEL_FORMATS  # noqa: E402
from core.figures.picture import Picture  # noqa: E402
from core.lessons.expressions import BY_NAME, FUNCTIONS  # noqa: E402
from core.lessons.results import KINDS  # noqa: E402
from core.methods import METHODS  # noqa: E402
from core.methods.base import Method  # noqa: E402
from core.metrics import describe_convention  # noqa: E402
from core.program import PROGRAM  # noqa: E402

DOCS = ROOT / "docs"
PAGES = ROOT / "pages"
COMMAND = "sparse-ranking-lab"


def main() -> None:
    """Write every file of the documentation that is not as `current` says."""
    for path, text in current().items():
        if path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"{path.relative_to(ROOT)} is up to date again")


def current() -> dict[Path, str]:
    """Every generated file as it should read."""
    texts: dict[Path, str] = {}
    for name, (file, made) in PARTS.items():
        path = DOCS / file
        texts[path] = _filled(texts.get(path) or path.read_text(encoding="utf-8"), name, made())
    return texts


def _filled(whole: str, name: str, text: str) -> str:
    before, begins, rest = whole.partition(f"<!-- generated: {name} -->\n")
    _, ends, after = rest.partition(f"<!-- end of {name} -->\n")
    if not ends:
        msg = f"there is no place for {name}"
        raise ValueError(msg)
    return f"{before}{begins}{text}\n{ends}{after}"


def methods() -> str:
    """One row a method in the registry's order: id, title, solvers, parameters with defaults, authors."""
    return "\n".join(
        ["| id | method | solvers | parameters | source |", "|---|---|---|---|---|", *map(_method, METHODS)]
    )


def _method(method: Method) -> str:
    solvers = " ".join(f"`{solver.id}`" for solver in method.solvers)
    parameters = ", ".join(f"`{p.name}` {p.text(p.default)}" for p in method.parameters)
    before, year, _ = method.source.partition(")")
    return f"| `{method.id}` | {_cell(method.title)} | {solvers} | {parameters} | {_cell(before + year)} |"


def commands() -> str:
    """Every command with its arguments and options."""
    (subparsers,) = (a for a in parser()._actions if isinstance(a, argparse._SubParsersAction))
    said = {one.dest: one.help or "" for one in subparsers._choices_actions}
    return "\n\n".join(_command(name, found, said[name]) for name, found in subparsers.choices.items())


def _command(name: str, found: argparse.ArgumentParser, help: str) -> str:
    actions = [action for action in found._actions if action.dest not in ("help", "json")]
    rows = [f"| {_usage(a)} | {_cell((a.help or '') % vars(a)).replace(PROGRAM, COMMAND)} |" for a in actions]
    table = ["", "| argument | meaning |", "|---|---|", *rows] if rows else []
    return "\n".join([f"## {name}", "", _sentence(help), *table])


def _usage(action: argparse.Action) -> str:
    takes = (
        "" if action.nargs == 0 else action.metavar or "|".join(map(str, action.choices or ())) or action.dest.upper()
    )
    return f"`{_cell(' '.join(filter(None, [' '.join(action.option_strings), str(takes)])))}`"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", r"\|")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def formats() -> str:
    """The formats of `core export`."""
    rows = []
    for known in MODEL_FORMATS:
        step = known.next_step.replace("_", r"\_").format(file="`MODEL`", name="`NAME`")
        rows.append(f"| `{known.id}` | {known.title} | {_cell(step)} |")
    return "\n".join(["| format | for | what to do with the file |", "|---|---|---|", *rows])


def conventions() -> str:
    """What each convention counts."""
    return "\n".join(f"- {describe_convention(name)}" for name in ("standard", "letor3", "letor4"))


def reading() -> str:
    """The parameters that say how a file is read, beside scaling and division: controls and meaning."""
    kept = [f"| `{one.name}` | {one.metadata['label']} | {_cell(one.metadata['help'])} |" for one in OF_A_FILE]
    return "\n".join(["| parameter | control | meaning |", "|---|---|---|", *kept])


def addresses() -> str:
    """Every page with the parameters of its own that its address keeps."""
    rows = ["| page | address | parameters of its own |", "|---|---|---|"]
    for name, title in _titles():
        kept = [f"`{key}`{f' ({label})' if label else ''}" for key, label in _parameters(PAGES / "views" / name)]
        rows.append(f"| {title} | `{'/' if name == 'start' else f'/{name}'}` | {_cell(', '.join(kept))} |")
    return "\n".join(rows)


def _titles() -> list[tuple[str, str]]:
    """Names and titles of the pages, in the order of the navigation."""
    text = (PAGES / "shared" / "frame.py").read_text(encoding="utf-8")
    return re.findall(r'"(\w+)": Page\(\s*"([^"]+)"', text)


_BOUND = tuple(f"address.{control}" for control in ("one_of", "ask_further", "from_list", "by_id"))
"""Controls that the address keeps."""
_LABELLED = {"measure_control": "Measure", "compare_with": "Compare with"}
"""And those with a label of their own."""


def _parameters(folder: Path) -> list[tuple[str, str]]:
    """Keys of the address that a page's code names, with the label of the control."""
    found: dict[str, str] = defaultdict(str)
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.py"))]
    of_folder = {name: text for tree in trees for name, text in _strings(tree).items()}
    for tree in trees:
        named = of_folder | _SHARED | _strings(tree)
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            given = {one.arg: one.value for one in call.keywords}
            called = ast.unparse(call.func)
            bound = ast.unparse(given["bind"]) != "None" if "bind" in given else called in _BOUND
            if bound and (key := _text(given["key"], named)):
                asked = called == "address.ask_further"
                found[key] = "Ask further" if asked else _text(call.args[0], named) if call.args else ""
            elif called in ("option_control", "option_controls"):
                picture = _imported(tree, ast.unparse(call.args[0]))
                names = [_text(call.args[1], named)] if called == "option_control" else list(picture.controls())
                found |= {picture.controls()[name]: picture.options()[name].label for name in names}
            elif called in ("address.write", "st.query_params.get", *_LABELLED):
                place = given.get("key") if called in _LABELLED else call.args[0]
                if place is not None and (key := _text(place, named)):
                    found[key] = found[key] or _LABELLED.get(called, "")
    return sorted(found.items())


def _imported(tree: ast.AST, picture: str) -> type[Picture[object]]:
    """The class of a picture that a page imports."""
    (module,) = (
        str(node.module)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and picture in [one.name for one in node.names]
    )
    found: type[Picture[object]] = getattr(importlib.import_module(module), picture)
    return found


def _strings(tree: ast.AST) -> dict[str, str]:
    return {
        target.id: node.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _text(node: ast.expr, named: dict[str, str]) -> str:
    """Text that an expression stands for; nothing where it is not written down."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    return named.get(ast.unparse(node), "")


_SHARED = {
    f"keys.{name}": text for name, text in _strings(ast.parse((PAGES / "shared" / "keys.py").read_text())).items()
}


def lessons() -> str:
    """Functions of answers, and every kind of result with its options and facts."""
    known = [(name, about) for name, (_, about) in {**FUNCTIONS, **BY_NAME}.items()]
    parts = [
        _table("function", "value", known),
        "## Results\n\nA `ratio` is read as in an address: it is the nearest place of the slider of C.",
    ]
    for name, kind in KINDS.items():
        own = [f"`{option}`{' (needed)' if option in kind.needed else ''}" for option in kind.options]
        options = ", ".join([*own, *(["`dataset`", "`fold`"] if kind.of_data else [])])
        parts += [
            f"### {name}",
            f"{_sentence(kind.about)} Options: {options}.",
            _table("fact", "meaning", kind.facts.items()),
        ]
    return "\n\n".join(parts)


def _table(first: str, second: str, rows: Iterable[tuple[str, str]]) -> str:
    written = [f"| `{name}` | {_cell(about)} |" for name, about in rows]
    return "\n".join([f"| {first} | {second} |", "|---|---|", *written])


PARTS: dict[str, tuple[str, Callable[[], str]]] = {
    "methods": ("reference/methods.md", methods),
    "commands": ("reference/command_line.md", commands),
    "formats": ("how_to/export.md", formats),
    "conventions": ("explanation/conventions.md", conventions),
    "reading": ("reference/addresses.md", reading),
    "addresses": ("reference/addresses.md", addresses),
    "lessons": ("reference/lessons.md", lessons),
}

if __name__ == "__main__":
    main()
