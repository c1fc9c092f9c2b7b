"""A picture as one HTML file that needs no network: the app's own drawing code over precomputed models.

C is dragged with pointer or keys, played, or chosen by a click, as in the app; there is no server to ask for more.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from core.analysis.evaluation import FoldJudge
from core.analysis.fold_models import FoldPath
from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame, fitted_frame, frames_of, refined
from core.analysis.path_views import ratio_of
from core.analysis.tuning.tuning import told_by_validation
from core.data import Convention
from core.experiments.results.printed_table import Table, plain_table
from core.export.html_report import Section, html_report
from core.figures.browser.drawing_code import BUNDLE, drawing_code, saved_page_code, sent_picture
from core.figures.drag.hand import Hand
from core.figures.look.style import CERTIFICATES, SUBTITLE_LINE, heading, method_style
from core.figures.path.picture import PathsPicture
from core.figures.path.tuning import PART_WORDS
from core.figures.picture import Picture, Words
from core.methods import Training, get_method
from core.metrics import describe_convention
from core.metrics.measures import telling_measures
from core.names.numbers import short

CAMERA = {"format": "png", "filename": "path", "width": 1000, "scale": 2}
"""The picture that its camera saves."""
_HOW = (
    "Drag the line, press Play, or choose a model by a click; with the keyboard: Tab to the handle, then the arrow "
    "keys, Page up and down, Home and End. The numbers above the picture are those of the model under the line."
)
_LOOK = (
    "<style>#picture{--st-text-color:var(--ink);--st-background-color:var(--paper);--st-border-color:var(--line);"
    "--st-font:system-ui,sans-serif}figcaption{position:relative;z-index:1;pointer-events:none}.live-chart{position:relative}.gtitle{display:none}"
    ":fullscreen .gtitle{display:initial}.modebar{opacity:0}.live-chart:hover .modebar,.modebar:focus-within{opacity:1}"
    "#readings{display:flex;flex-wrap:wrap;gap:.1em 1.4em;margin:0 0 .4em;font-size:.9rem}"
    "#readings div{display:flex;gap:.4em}#readings dt{color:var(--soft)}"
    "#readings dd{margin:0;font-weight:600;font-variant-numeric:tabular-nums}</style>"
)


def saved_path(path: FoldPath, training: Training, *, where: str, command: str) -> str:
    """Return the text of the file.

    Parameters
    ----------
    path : FoldPath
        A complete path, judged.
    training : Training
        That it was fitted on: an l1 path gets models where those between two others are not proved to be within 1e-3.
    where : str
        Dataset and fold.
    command : str
        The one that made it.
    """
    judge = FoldJudge(path.fold, path.convention)
    measures = telling_measures(path.fold.train)[:2]
    picture = PathsPicture([path], measure=measures[0], measures=measures, where=where, hint="drag the line")
    best = told_by_validation(path.points, measures[0])
    hand = Hand(
        list(frames_of(refined(path.points, training, judge), judge)),
        fitted_frame(best or path.points[len(path.points) // 2]),
        method_style(path.method).colour,
        path=where,
        best=None if best is None else ratio_of(best),
    )
    title = f"{get_method(path.method).title} on {where}"
    models = Section("The models", tables=(_models(path.points, measures),))
    made = Section("The command that made this page", code=command)
    return saved_picture(picture, hand, measures, title=title, convention=path.convention, beneath=(models, made))


def saved_picture(
    picture: Picture[Any],
    hand: Hand,
    measures: Sequence[str],
    *,
    title: str,
    convention: Convention,
    beneath: Sequence[Section],
    found: object = None,
    beside: Sequence[Hand] = (),
) -> str:
    """Return the text of a page with a picture of lines, dots and bars in which C is dragged.

    Parameters
    ----------
    picture : Picture
    hand : Hand
        The path that the handle moves through, complete; ``beside`` are those that move with it.
    measures : sequence of str
        Those that are told of the model under the handle.
    title : str
    convention : {"standard", "letor3", "letor4"}
        Of the measures.
    beneath : sequence of Section
        What stands under the picture.
    found : optional
        The numbers of the picture, where they are known.
    """
    found = picture.found if found is None else found
    words = picture.words(found)
    told = replace(hand, readings=lambda frame: _readings(frame, measures))
    sections = (
        Section("The picture", figures=(_alive(picture, found, words, told, beside),)),
        Section("How to read it", text=(_HOW, describe_convention(convention))),
        *beneath,
    )
    return html_report(title, (words.title + ".",), sections, script=BUNDLE.read_text(encoding="utf-8"))


def _readings(frame: Frame, measures: Sequence[str]) -> dict[str, str]:
    """What is told of the model under the handle."""
    certificate = frame.certificate
    told = {"C": short(frame.c), "λ/λ_max": short(frame.ratio), "features": f"{frame.size} of {len(frame.weights)}"}
    for measure in measures:
        for part in frame.judgement.metrics:
            told[f"{measure}, {PART_WORDS[part]}"] = f"{frame.judgement.shown(part, measure):.4f}"
    proof = f"{short(certificate.relative)} of {certificate.share_of}"
    return told | {CERTIFICATES[certificate.kind]: f"{proof}{'' if frame.fewest is None else ', between two models'}"}


def _alive(picture: Picture[Any], found: object, words: Words, hand: Hand, beside: Sequence[Hand]) -> str:
    """The readings, the picture, and the scripts that draw it."""
    figure, drag = picture.drawing(found, words), picture.moves(found, hand, beside)
    sent = sent_picture(figure, alt=words.alt, saved_as=CAMERA, drag=drag, clickable=True, fill=True).decode()
    told = "".join(
        f'<div><dt>{html.escape(name)}</dt><dd data-reading="{html.escape(name)}">{html.escape(text)}</dd></div>'
        for name, text in hand.readings(hand.now).items()
    )
    head = heading(figure)
    room = 0 if head is None else min(head.height, SUBTITLE_LINE + 2)
    caption = f"<figcaption><span>{html.escape(words.subtitle)}</span></figcaption>"
    return (
        f'{_LOOK}<figure><dl id="readings">{told}</dl>{caption}'
        f'<div id="picture" style="margin-top:-{room}px"></div></figure>'
        f'<script type="application/json" id="sent">{sent.replace("<", chr(92) + "u003c")}</script>'
        '<script type="text/plain" id="plotly-basic"></script>'
        '<script>document.getElementById("plotly-basic").Plotly = Plotly;</script>'
        f'<script type="module">{drawing_code(named="drawPicture")}\n{saved_page_code()}</script>'
    )


def _models(points: Sequence[PathPoint], measures: Sequence[str]) -> Table:
    """A row a model, for those who cannot see or drag; every name of a feature that it keeps."""
    rows = []
    for point in points:
        fit = point.fit
        row: dict[str, object] = {"C": short(fit.c), "λ/λ_max": short(ratio_of(point)), "features": fit.result.nonzero}
        row |= {f"{m}, {PART_WORDS[part]}": values[m] for part, values in point.metrics.items() for m in measures}
        certificate = fit.result.certificate
        row[CERTIFICATES[certificate.kind]] = short(certificate.relative)
        row["kept, largest weight first"] = ", ".join(
            f"{fit.feature_names[j]} {fit.weights[j]:+.3g}" for j in fit.selected
        )
        rows.append(row)
    return plain_table("models", "Models of the path", "", rows)
