"""What a page sends to the browser, field by field, and whether a name in it would be interpreted."""

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from google.protobuf.message import Message
from streamlit.testing.v1 import AppTest

from core.names.plain import in_markdown, in_plotly
from core.names.short import short_names
from tests.app.fitting import nodes
from tests.names.nasty import NASTY

MARKDOWN = {
    "Markdown.body", "Markdown.help", "Heading.body", "Heading.help", "Alert.body", "Toast.body", "Spinner.text",
    "Expandable.label", "Tab.label", "Popover.label", "Popover.help", "Metric.label", "ButtonGroup.Option.content",
    "Dialog.title", "Radio.options", "Progress.text",
}  # fmt: skip
"""Fields that Streamlit reads as Markdown, beside every label and every help."""
PLAIN = {
    "Selectbox.options", "Selectbox.raw_value", "MultiSelect.options", "MultiSelect.raw_values", "Code.code_text",
    "TextInput.value", "TextInput.default", "TextInput.placeholder", "Selectbox.placeholder", "Slider.options",
    "PlotlyChart.alt", "DownloadButton.url", "FileUploader.label_visibility", "Html.body",
}  # fmt: skip
"""Fields that are shown as they are; of HTML `interpreted` looks at the tags."""
SHORT = {label for longest in (9, 16, 19, 20, 22, 26, 34) for label in short_names(NASTY, range(len(NASTY)), longest)}
WRITTEN, IN_PICTURES = (
    sorted({write(name) for name in (*NASTY, *SHORT)}, key=len, reverse=True) for write in (in_markdown, in_plotly)
)
IDENTITIES = ("id", "key", "form_id", "element_id", "user_key", "css_class", "url", "fragment_id")


def nasty_csv(queries: int = 12, documents: int = 8) -> bytes:
    """Lists whose columns, queries and documents have nasty names."""
    rng = np.random.default_rng(7)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["relevance", "query", "document", *(name.strip() for name in NASTY)])
    for q in range(queries):
        x = rng.normal(size=(documents, len(NASTY))).round(3)
        grades = np.argsort(np.argsort(x[:, 0] + x[:, 5] - x[:, 9] + 0.3 * rng.normal(size=documents))) // 3
        for i in range(documents):
            writer.writerow(
                [grades[i], NASTY[q % len(NASTY)].strip(), f"{NASTY[(q + i) % len(NASTY)].strip()} {i}", *x[i]]
            )
    return text.getvalue().encode()


def sent_fields(app: AppTest) -> Iterator[tuple[str, str]]:
    """Every text that the page sends, with the type and field that hold it."""
    yield from fields_of(app._tree)


def fields_of(block: Any) -> Iterator[tuple[str, str]]:
    """The same of a part of the page."""
    for node in nodes(block):
        proto = getattr(node, "proto", None)
        if isinstance(proto, Message):
            yield from _texts(proto)


def interpreted(field: str, text: str) -> str:
    """The first name in a text that its field would interpret; empty if there is none, or the field shows text."""
    _, _, name = field.rpartition(".")
    if name in ("spec", "bytes", "json", "config") or field.startswith("BidiComponent"):
        return _in_figure(text)
    if field == "Html.body":
        return next((n for n in NASTY if _special(n, "<&") and n in text), "")
    if field in PLAIN or name in IDENTITIES:
        return ""
    rest = text
    for one in WRITTEN:
        rest = rest.replace(one, " ")
    found = next((n for n in NASTY if in_markdown(n.strip()) != n.strip() and n.strip() in rest), "")
    known = field in MARKDOWN or name in ("label", "help")
    return found if known or not found else f"{found} in {field}, of which is not said whether it is Markdown"


def _special(name: str, marks: str) -> bool:
    return bool(set(marks) & set(name))


def _in_figure(text: str) -> str:
    """A name that plotly would read as more than text; what the page's own code draws is text in any case."""
    try:
        sent = json.loads(text)
    except ValueError:
        return ""
    figure = sent.get("figure", sent) if isinstance(sent, dict) else {}
    if not isinstance(figure, dict) or "data" not in figure:
        return ""
    for place, string in _strings(figure, ""):
        if any(part in place for part in (".meta", ".uid", "uirevision")) or place.endswith(
            ("annotations.name", ".ids")
        ):
            continue
        rest = string
        for one in IN_PICTURES:
            rest = rest.replace(one, " ")
        for n in (*NASTY, *SHORT):
            if in_plotly(n) != n and n.strip() in rest:
                return f"{n} in {place}"
    return ""


def _strings(part: Any, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(part, str):
        yield place, part
    elif isinstance(part, dict):
        for key, value in part.items():
            yield from _strings(value, f"{place}.{key}")
    elif isinstance(part, list):
        for value in part:
            yield from _strings(value, place)


def _texts(message: Message) -> Iterator[tuple[str, str]]:
    kind = message.DESCRIPTOR.full_name.removeprefix("streamlit.").removeprefix("Block.")
    for field, value in message.ListFields():
        values = value if field.is_repeated else [value]
        for one in values if not hasattr(values, "items") else []:
            if isinstance(one, str):
                yield f"{kind}.{field.name}", one
            elif isinstance(one, bytes) and one[:1] == b"{":
                yield f"{kind}.{field.name}", one.decode()
            elif isinstance(one, Message):
                yield from _texts(one)
