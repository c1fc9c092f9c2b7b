"""Tables in LaTeX: booktabs, the best in bold, a dagger where a method is significantly worse."""

from __future__ import annotations

import re

from core.experiments.results.printed_table import Entry, Table

NEEDS = "% needs \\usepackage{booktabs}; with many columns, \\usepackage{graphicx} and \\resizebox around the tabular\n"
DAGGER = "$^\\dagger$"
DAGGER_WORDS = "\\ $\\dagger$: significantly worse than the best."
_SYMBOLS = {
    "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "$": "\\$", "&": "\\&", "#": "\\#", "_": "\\_", "%": "\\%",
    "^": "\\textasciicircum{}", "<": "$<$", ">": "$>$", "|": "$|$", '"': "''", "~": "$\\sim$", "±": "$\\pm$",
    "−": "$-$", "–": "--", "—": "---", "×": "$\\times$", "·": "$\\cdot$", "≤": "$\\leq$", "≥": "$\\geq$",
    "∩": "$\\cap$", "∪": "$\\cup$", "γ": "$\\gamma$", "λ": "$\\lambda$", "κ": "$\\kappa$", "ε": "$\\varepsilon$",
    "τ": "$\\tau$", "₁": "$_1$", "₂": "$_2$", "ℓ": "$\\ell$", "∞": "$\\infty$", "§": "\\S{}", "’": "'",
    "\u2009": "\\,", "‡": "$\\ddagger$", "…": "\\dots{}",
}  # fmt: skip
_NORM = re.compile(r"ℓ(\d+(?:\.\d+)?)")
_PER_CENT = re.compile(r"(?<=\d) %")
_MINUS = re.compile(r"(?<!\w)-(?=\d)")


def escaped(text: str) -> str:
    r"""Escape text for LaTeX: ``"ℓ0.5 & 3 %"`` becomes ``"$\ell_{0.5}$ \& 3\,\%"``."""
    parts = []
    last = 0
    for norm in _NORM.finditer(text):
        parts += [_symbols(text[last : norm.start()]), f"$\\ell_{{{norm.group(1)}}}$"]
        last = norm.end()
    return "".join([*parts, _symbols(text[last:])])


def latex_table(table: Table) -> str:
    """Return a ``table`` environment; its caption says what the table shows and how to read it."""
    alignment = "".join(_alignment(table, k) for k in range(len(table.head)))
    worse = any(entry.mark == "worse" for row in table.rows for entry in row)
    caption = f"{escaped(table.title)}. {escaped(table.note)}{DAGGER_WORDS if worse else ''}"
    lines = [
        "\\begin{table}",
        "  \\centering",
        f"  \\caption{{{caption}}}",
        f"  \\label{{tab:{_label(table.name)}}}",
        f"  \\begin{{tabular}}{{{alignment}}}",
        "    \\toprule",
        f"    {_row([escaped(name) for name in table.head])}",
        "    \\midrule",
        *(f"    {_row([_entry(entry) for entry in row])}" for row in table.rows),
        "    \\bottomrule",
        "  \\end{tabular}",
        "\\end{table}",
    ]
    return NEEDS + "\n".join(lines) + "\n"


def _alignment(table: Table, column: int) -> str:
    if column in table.numeric:
        return "r"
    return "p{0.4\\linewidth}" if column in table.wide else "l"


def _row(cells: list[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def _entry(entry: Entry) -> str:
    text = escaped(entry.text)
    if entry.mark == "best":
        # Bold does not reach mathematics: $\pm$ and the like stay as they are, their digits do not.
        text = f"\\textbf{{{text}}}"
    aside = f" {{\\footnotesize {escaped(entry.aside)}}}" if entry.aside else ""
    return f"{text}{DAGGER if entry.mark == 'worse' else ''}{aside}"


def _symbols(text: str) -> str:
    """Escape character by character, so that no replacement is escaped again."""
    prepared = _MINUS.sub("−", _PER_CENT.sub("\u2009%", text))
    return "".join(_SYMBOLS.get(character, character) for character in prepared)


def _label(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9:.-]", "-", name)
