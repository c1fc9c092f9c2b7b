"""The Markdown of lessons as HTML: paragraphs, lists, bold, italic, code and formulas as text; all else is text."""

import html
import re

from core.names.plain import NOTHING

_INLINE = re.compile(r"\\([^\w\s])|`([^`]+)`|\$\$?([^$]+)\$\$?|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*", re.DOTALL)
_ITEM = re.compile(r"^ *(?:[-*]|\d+\.) +", re.MULTILINE)
_WORDS = re.compile(r"\\text\{([^}]*)\}")
_COMMAND = re.compile(r"\\([A-Za-z]+)")


def markdown_html(text: str) -> str:
    """Return the HTML of a text, with everything escaped that is not of its marks."""
    blocks = re.split(r"\n\s*\n", text.replace(NOTHING, ""))
    return "".join(_block(block.strip("\n")) for block in blocks if block.strip())


def _block(block: str) -> str:
    begun = _ITEM.match(block)
    if begun is None:
        return f"<p>{_inline(block)}</p>"
    items = [item for item in _ITEM.split(block) if item.strip()]
    kind = "ul" if begun[0].strip() in "-*" else "ol"
    return f"<{kind}>{''.join(f'<li>{_inline(item)}</li>' for item in items)}</{kind}>"


def _inline(text: str) -> str:
    parts, end = [], 0
    for found in _INLINE.finditer(text):
        parts += [html.escape(html.unescape(text[end : found.start()])), _marked(found)]
        end = found.end()
    return "".join([*parts, html.escape(html.unescape(text[end:]))]).strip()


def _marked(found: re.Match[str]) -> str:
    literal, code, formula, bold, italic = found.groups()
    if literal is not None:
        return html.escape(literal)
    if code is not None:
        return f"<code>{html.escape(code)}</code>"
    if formula is not None:
        spoken = _COMMAND.sub(r"\1", _WORDS.sub(r"\1", formula))
        return f"<i>{html.escape(spoken)}</i>"
    return f"<strong>{_inline(bold)}</strong>" if bold is not None else f"<em>{_inline(italic)}</em>"
