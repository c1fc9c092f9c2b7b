"""What people read uses one plain word for a thing; the words below have been replaced everywhere by others."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
REPLACED = re.compile(
    r"\b(anew|work(s|ed|ing)? (it )?out|whoever|for who\b|mend(s|ed)?\b|takes? (this|the) model along|Beside:|gives way"
    r"|stays what it is|of who\b|what a person has)",
    re.IGNORECASE,
)
"""Say again or resampled, computed, anyone who, fix, export, Compare with."""


def _literals(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and text of every string literal that is no docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.lineno, node.value


def _texts() -> Iterator[tuple[str, str]]:
    sources = [ROOT / "app.py", *(ROOT / "core").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]
    for path in sources:
        yield from ((f"{path.relative_to(ROOT)}:{line}", text) for line, text in _literals(path))
    for path in [*(ROOT / "pages").rglob("*.md"), *(ROOT / "core" / "lessons").rglob("*.md")]:
        yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")


def test_no_text_uses_a_word_that_has_been_replaced() -> None:
    texts = list(_texts())
    assert len(texts) > 5_000
    assert not [(place, found[0]) for place, text in texts if (found := REPLACED.search(text))]


def test_the_words_are_found_in_a_sentence() -> None:
    for sentence in ("drawn anew", "This cannot be worked out.", "Beside: nothing", "Whoever has it", "mend this line"):
        assert REPLACED.search(sentence), sentence
