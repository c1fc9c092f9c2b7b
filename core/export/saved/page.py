"""Pictures as one HTML file that needs no network: the app's own drawing code over precomputed models.

C is dragged with pointer or keys, played, or chosen by a click, as in the app; there is no server to ask for more.
Pictures of a page move together.
"""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame
from core.analysis.path_views import ratio_of
from core.data import Convention
from core.experiments.results.printed_table import plain_table
from core.export.html_report import Section, html_report, section_html
from core.figures.browser.drawing_code import BUNDLE, saved_page_code, sent_picture
from core.figures.drag.drag import Drag, Hand
from core.figures.look.style import CERTIFICATES, SUBTITLE_LINE, TITLE_LINE, heading
from core.figures.path.lines import PART_WORDS
from core.figures.picture import Figure, Picture
from core.metrics import describe_convention
from core.names.numbers import short
from core.names.plain import unit_words

COLUMNS = 12
"""A row of pictures has these; a picture spans some of them, or all on a narrow screen."""
_HOW = (
    "Drag the line, press Play, or choose a model by a click on its point; with the keyboard: Tab to the handle, then "
    "the arrow keys, Page up and down, Home and End. The numbers above the pictures are those of the model under the "
    "line, and the table beneath has every fitted model."
)
LOOK = """
.pictures { display: grid; grid-template-columns: repeat(12, minmax(0, 1fr)); gap: .4em .9em; }
.pictures > figure { grid-column: span 12; margin: 0; }
.picture { --st-text-color: var(--ink); --st-background-color: var(--paper); --st-border-color: var(--line);
  --st-font: system-ui, sans-serif; }
.pictures figcaption { position: relative; z-index: 1; pointer-events: none; font-size: .92rem; margin: 0; }
.pictures figcaption [data-reading] { display: inline; color: var(--ink); }
.live-chart { position: relative; }
.gtitle { display: none; }
:fullscreen .gtitle { display: initial; }
.modebar { opacity: 0; }
.live-chart:hover .modebar, .modebar:focus-within { opacity: 1; }
.readings { display: flex; flex-wrap: wrap; gap: .1em 1.4em; margin: 0 0 .4em; font-size: .9rem; }
.moved .bartext { display: none; }
.readings div { display: flex; gap: .4em; }
.readings dt { color: var(--soft); }
.readings dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
@media (min-width: 800px) {
  main:has(.pictures > figure + figure) { max-width: 1340px; }
  .pictures > figure { grid-column: span var(--span); }
}
"""
"""How pictures and readings look, as CSS."""


@dataclass(frozen=True, eq=False)
class SavedPart:
    """One of the pictures of a page, with what moves in it with C, and a ``span`` of the `COLUMNS`.

    ``name`` is that of the file that its camera saves, ``alt`` what is seen, in a sentence for screen readers, and
    ``words`` what stands above it, as HTML. It may ``fill`` the height that the window has room for, or be made for
    ``small`` room, as those of the Lab are; where it is ``clickable``, a click on a point takes its C.
    """

    name: str
    figure: Figure
    drag: Drag | None
    alt: str
    words: str
    span: int = COLUMNS
    fill: bool = False
    small: bool = False
    clickable: bool = True


def telling(hand: Hand, measures: Sequence[str]) -> Hand:
    """Return the path with the texts of the line above the pictures as its readings."""
    return replace(hand, readings=lambda frame: model_readings(frame, measures))


def at_c(hand: Hand) -> str:
    """Where the line stands when the page is opened: what is said of that model holds wherever the line is moved."""
    return f"At C {short(hand.now.c)}"


def titled_words(hand: Hand, title: str, subtitle: str) -> str:
    """Title and subtitle as HTML; the title is of the model at the C at which the page is opened."""
    return f"<b>{html.escape(f'{at_c(hand)}: {title}')}</b>{html.escape(subtitle).replace(chr(10), '<br>')}"


def picture_part(
    picture: Picture[Any], found: object, hand: Hand, beside: Sequence[Hand] = (), *, titled: bool = False
) -> SavedPart:
    """Return a declared picture as the only one of a page, which has its title as a summary, or with its title."""
    picture = picture.without_choice()
    words = picture.words(found)
    figure, drag = picture.drawing(found, words), picture.moves(found, hand, beside)
    caption = titled_words(hand, words.title, words.subtitle) if titled else html.escape(words.subtitle)
    return SavedPart(picture.chart, figure, drag, words.alt, words=caption, fill=True)


@dataclass(frozen=True, eq=False)
class SavedPage:
    """Pictures of lines, dots and bars in which C is dragged: a file of its own, or a page of a site.

    One of the parts has the handle; its drag has the readings of `telling`. ``hand`` is the path that the handle moves
    through, complete, of the method with the id ``method``; ``measures`` are told of the model under the handle.
    ``title`` says what the page is, ``summary`` what is seen.
    """

    parts: Sequence[SavedPart]
    hand: Hand
    measures: Sequence[str]
    title: str
    summary: str
    method: str
    convention: Convention

    @property
    def html(self) -> str:
        """The readings and the places of the pictures."""
        told = "".join(
            f'<div><dt>{html.escape(name)}</dt><dd data-reading="{html.escape(name)}">{html.escape(text)}</dd></div>'
            for name, text in model_readings(self.hand.now, self.measures).items()
        )
        return f'<dl class="readings">{told}</dl>{pictures_html(self.parts)}'

    @property
    def sent(self) -> dict[str, Any]:
        """All of it, as JSON has it."""
        words = {"title": self.title, "summary": self.summary, "html": self.html, "how": section_html(self.how)}
        return words | sent_page(self.parts, self.method)

    @property
    def how(self) -> Section:
        """How to read it."""
        return Section("How to read it", text=(_HOW, describe_convention(self.convention)))


def saved_page(page: SavedPage, beneath: Sequence[Section]) -> str:
    """Return the text of the file; the sections ``beneath`` stand under the pictures."""
    pictures = f"{page.html}{scripts_html(page.parts, page.method)}"
    title = "The pictures" if len(page.parts) > 1 else "The picture"
    sections = (Section(title, figures=(pictures,)), page.how, *beneath)
    return html_report(page.title, (page.summary,), sections, script=BUNDLE.read_text(encoding="utf-8"))


def model_readings(frame: Frame, measures: Sequence[str]) -> dict[str, str]:
    """What is told of the model under the handle, by name."""
    certificate = frame.certificate
    told = {"C": short(frame.c), "λ/λ_max": short(frame.ratio), "features": f"{frame.size} of {len(frame.weights)}"}
    for measure in measures:
        for part in frame.judgement.metrics:
            told[f"{measure}, {PART_WORDS[part]}"] = f"{frame.judgement.metrics[part][measure]:.4f}"
    proof = f"{short(certificate.relative)} of {unit_words(certificate.share_of)}"
    return told | {CERTIFICATES[certificate.kind]: f"{proof}{'' if frame.fewest is None else ', between two models'}"}


def models_section(points: Sequence[PathPoint], measures: Sequence[str]) -> Section:
    """A row a model, for those who cannot see or drag; what each keeps has a table as wide as the page."""
    rows, kept = list[dict[str, object]](), list[dict[str, object]]()
    for point in points:
        fit, certificate = point.fit, point.fit.result.certificate
        row = {"C": short(fit.c), "λ/λ_max": short(ratio_of(point)), "features": fit.result.nonzero}
        row |= {f"{m}, {PART_WORDS[part]}": values[m] for part, values in point.metrics.items() for m in measures}
        rows.append(row | {CERTIFICATES[certificate.kind]: short(certificate.relative)})
        weights = ", ".join(f"{fit.feature_names[j]} {fit.weights[j]:+.3g}" for j in fit.selected)
        kept.append({"C": short(fit.c), "features with their weights": weights})
    models = plain_table("models", "Models of the path", "", rows)
    return Section(
        "The models", tables=(models, plain_table("kept", "What each model keeps, largest weight first", "", kept))
    )


def pictures_html(parts: Sequence[SavedPart]) -> str:
    """Where the pictures are drawn by `scripts_html`, as HTML."""
    return f'<div class="pictures">{"".join(map(_figure, parts))}</div>'


def scripts_html(parts: Sequence[SavedPart], method: str) -> str:
    """The style of all pictures of a page, and the scripts that draw them, in their order and behind the last one."""
    return (
        f"<style>{LOOK}</style>{json_html('sent', sent_page(parts, method))}"
        '<script type="text/plain" id="plotly-basic"></script>'
        '<script>document.getElementById("plotly-basic").Plotly = Plotly;</script>'
        f'<script type="module">{saved_page_code()}\ndrawPage(document, sentAs("sent"));</script>'
    )


def sent_page(parts: Sequence[SavedPart], method: str) -> dict[str, Any]:
    """What ``saved_page.js`` is sent of the pictures of a page, as JSON has it."""
    pictures = [
        sent_picture(
            part.figure,
            alt=part.alt,
            saved_as={"format": "png", "filename": part.name, "width": 1000, "scale": 2},
            drag=part.drag,
            clickable=part.clickable,
            fill=part.fill,
            rows=2 if part.small else 0,
        )
        for part in parts
    ]
    return {"method": method, "pictures": [json.loads(picture) for picture in pictures]}


def json_html(name: str, value: object) -> str:
    """A value for the scripts of a page, in an element of that id."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'


def _figure(part: SavedPart) -> str:
    """A picture under its words, which stand where its own heading would."""
    head = heading(part.figure)
    told = part.words.rstrip().endswith("</b>")  # and no subtitle
    lines = TITLE_LINE * part.words.count("<b>") + SUBTITLE_LINE * (0 if told else 1 + part.words.count("<br>"))
    room = 0 if head is None else min(head.height, lines + 2)
    caption = f"<figcaption><span>{part.words}</span></figcaption>" if part.words else ""
    return (
        f'<figure style="--span:{part.span}">{caption}<div class="picture" style="margin-top:-{room}px"></div></figure>'
    )
