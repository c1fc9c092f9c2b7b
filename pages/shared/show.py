"""A declared picture on a page: its controls, numbers, chart, table and script, each computed once for all visitors.

Pictures of the choice also leave as a page or a site without a server. Scripts describe the choice by its data, methods
and models.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeVar

import streamlit as st

from core.analysis.fitting import Fitting
from core.analysis.path import PathPoint
from core.cli.reading import reading_words
from core.data import Fold
from core.data.catalogue import data_folder
from core.experiments.results.printed_table import plain_table
from core.export.files import zip_of
from core.export.html_report import Section
from core.export.saved.page import SavedPage, SavedPart, picture_part, saved_page, telling
from core.export.saved.site import SiteDataset, SiteFold, shown_words, site_files
from core.export.saved.views import SavedPath
from core.export.scripts.description import DataDescription, MethodDescription, ModelDescription
from core.export.scripts.picture import Described, Fitted, Opened, picture_script
from core.figures.drag.drag import Hand
from core.figures.picture import Picture
from core.methods import Fit, get_method
from core.models import Model, ModelPath
from core.names.plain import in_markdown
from core.program import COMMAND
from pages.shared.cache import Results, kept
from pages.shared.choice import access, address, ready
from pages.shared.choice.choice import Choice, Loaded, Source
from pages.shared.choice.menu import measures_of
from pages.shared.controls import download
from pages.shared.live_chart import live_chart
from pages.shared.panels import choice_words
from pages.shared.work.paths import path_key, settings_of
from pages.shared.work.stepwise import made

BEGUN_NEAR = (
    "The app's fit started from a model of the path; this one starts from zero. Both end at the same optimum, as near "
    "as their certificates say, but steps and last digits differ."
)
STOPPED = "The app's fit was stopped early; this one runs to its end."


def data_of(source: Source, fold_number: int) -> DataDescription:
    """The data of a source; a file that was dropped in has its own name."""
    opened = access.dataset(source)
    own = False
    if not source.upload:
        path = ready.ready_datasets()[source.name].path
        own = path is not None and data_folder() in path.parents
    return DataDescription(
        name=source.file_name,
        fold=fold_number,
        where=f"{opened.name}, {opened.fold_names[fold_number - 1]}",
        reading=source.reading,
        uploaded=bool(source.upload),
        own=own,
    )


def chosen_data(choice: Choice) -> DataDescription:
    """The data of the choice."""
    return data_of(choice.source, choice.fold_number)


def method_of(choice: Choice, method_id: str) -> MethodDescription:
    """A method as its path is worked out beside the chosen one."""
    return MethodDescription(method_id, settings_of(choice, method_id), choice.rules_for(method_id))


def model_of(choice: Choice, fit: Fit) -> ModelDescription:
    """The chosen model, as it has been fitted."""
    near = choice.method.convex and fit.result.trace and fit.result.trace[0].nonzero > 0  # it began at another model
    note = BEGUN_NEAR if near else STOPPED if fit.result.stop in ("stopped", "time limit") else ""
    tol = None if choice.tol == choice.method.stop.tol else choice.tol
    return ModelDescription(method_of(choice, fit.method), choice.c, fit.solver, tol, note)


def fits_of(choice: Choice, picture: Picture[Any]) -> dict[str, Any]:
    """How the models and paths among the fields of a picture are fitted, by field."""

    def described(one: object) -> Any:
        if isinstance(one, Model):
            return model_of(choice, one.fit)
        return method_of(choice, one.method) if isinstance(one, ModelPath) else None

    def each(value: object) -> Any:
        return [found for found in map(described, value) if found] if isinstance(value, list) else described(value)

    fields = {name: getattr(picture, name) for name in (*picture.shown_things(), *picture.options())}
    return {name: found for name, value in fields.items() if (found := each(value))}


Found = TypeVar("Found")
HELP = "These pictures in one file in which C is dragged, as here, without a network."


def show(
    picture: Picture[Found],
    described: Opened,
    fold: Fold | None = None,
    *,
    found: Found | None = None,
    fits: Callable[[], Mapping[str, Described | Sequence[Fitted]]] = dict,
    known: Mapping[str, Any] | None = None,
    hand: Hand | None = None,
    beside: Sequence[Hand] = (),
    scripted: bool = True,
    page_of: Loaded | None = None,
    page: Callable[[], str] | None = None,
    on_click: Callable[[], None] | None = None,
    on_release: Callable[[], None] | None = None,
    main: bool = False,
    fill: bool = False,
) -> Found | None:
    """Render a picture, and return its numbers; None while a progress bar stands in its place.

    Parameters
    ----------
    picture : Picture
    described : DataDescription, or sequence or mapping of DataDescription
        The dataset, or datasets, for the picture's script, and ``fold`` the fold that it shows, if it is of one.
    found : optional
        The picture's numbers, where the page has asked for them already.
    fits : callable
        Returns how models and paths among the picture's fields are fitted, by field; called when the script is opened.
    known : mapping, optional
        Results of ingredients that the page has already, by the names of `Picture.needs`.
    hand : Hand, optional
        The path along which C can be dragged in the picture; ``beside`` are those that move with it.
    scripted : bool
        Whether the picture is complete, so that a script can compute it again.
    page_of : Loaded, optional
        The choice whose path ``hand`` is: the downloads have a page then in which C can be dragged.
    page : callable, optional
        Returns the text of that page, where it has more pictures than this one.
    on_click, on_release, main, fill
        As for `pages.shared.live_chart.live_chart`.
    """
    if found is None:
        found = numbers(picture, known)
    if found is None:
        return None

    def script() -> str:
        return picture_script(picture, described, fold, fits())

    def alone() -> str:
        assert hand is not None
        assert page_of is not None
        measures = measures_of(page_of)
        rows_of = [{str(name): value for name, value in row.items()} for row in picture.rows(found).to_dict("records")]
        beneath = (
            Section("The numbers", tables=(plain_table("numbers", words.title, "", rows_of),)),
            Section("The script that computes them", code=script()),
        )
        part = picture_part(picture, found, telling(hand, measures), beside)
        return saved_of(page_of, [part], hand, summary=f"{words.title}.", beneath=beneath)

    words, hands = picture.words(found), (*([] if hand is None else [hand]), *beside)
    live_chart(
        lambda: picture.drawing(found, words),
        picture.chart_key,
        alt=words.alt,
        of=(picture.fingerprint, known, words, [(one.now, one.best, one.frames) for one in hands]),
        table=lambda: picture.rows(found),
        script=script if scripted else "",
        drag=None if hand is None else lambda: picture.moves(found, hand, beside),
        on_click=on_click,
        on_release=on_release,
        page=page if page_of is None or hand is None or not hand.frames else alone,
        main=main,
        fill=fill,
    )
    return found


def show_chosen(picture: Picture[Found], choice: Loaded, **how: Any) -> Found | None:
    """Render a picture of the choice's fold by `show`, whose other arguments are ``how``.

    Its models and paths are those of the pages, unless ``fits`` says otherwise.
    """
    usual = {"fits": lambda: fits_of(choice, picture)}
    return show(picture, chosen_data(choice), choice.fold, **(usual | how))


def numbers(picture: Picture[Found], known: Mapping[str, Any] | None = None) -> Found | None:
    """The numbers of a picture; None while a progress bar stands on the page. ``known`` as for `show`."""
    needed = dict(known or {})
    assert needed or not picture.of_dataset, "the results tell the data"
    for name, ingredient in picture.needs().items():
        if name not in needed:
            needed[name] = made(ingredient)
        if needed[name] is None:
            return None
    of = (picture.numbers_key, known)
    return kept(f"numbers {picture.name}", of, lambda: picture.result(needed))


def saved_of(
    choice: Loaded, parts: Sequence[SavedPart], hand: Hand, *, summary: str, beneath: Sequence[Section]
) -> str:
    """Return the text of the page; the arguments are those of `core.export.saved.page.SavedPage`."""
    title, measures = f"{choice.title} on {choice.where}", measures_of(choice)
    return saved_page(SavedPage(parts, hand, measures, title, summary, choice.method_id, choice.convention), beneath)


def save_site_button(choice: Loaded, paths: Mapping[str, Sequence[PathPoint]]) -> None:
    """Offer complete paths of a choice's fold, by method, as a folder of static files."""
    settings = {method_id: settings_of(choice, method_id) for method_id in paths}  # a session knows them
    name, reading = choice.source.name.split(" · ")[0], reading_words(choice.source.reading)
    usual = all(given == get_method(method_id).settings({}) for method_id, given in settings.items())

    words = ["site", name, "--folds", str(choice.fold_number), "--methods", ",".join(paths)]
    made_by = shlex.join([*COMMAND, *words, "--out", "site"]) if usual and not (reading or choice.rules_words) else ""
    of = (name, choice.fold.name, made_by, *(path_key(choice, method_id) for method_id in paths))
    sites = Results("site")  # goes with a visitor's file, whenever the button is pressed

    def packed() -> bytes:
        if of not in sites:
            sites[of] = site()
        return bytes(sites[of])

    def site() -> bytes:
        fold, convention, known = choice.fold, choice.convention, dict[str, Any]()
        saved = []
        for method_id, points in paths.items():
            how = Fitting.on(fold, choice.method_under_rules(method_id), settings[method_id], convention)
            saved.append(replace(SavedPath.of(how, points, choice.rules_for(method_id)), known=known))
        shown = SiteDataset(name, [SiteFold(fold.name, saved)])
        return zip_of(dict(site_files([shown], made_by)))

    download(
        "Save as a site", packed, "site.zip", key="site_lab",
        help=f"{shown_words(in_markdown(name), choice.fold)} Unpack it on any web space, or open its index.html. The "
        "command `site` writes all folds, more methods and the lessons.",
    )  # fmt: skip


def saved_command(choice: Loaded, view: str, beside: Sequence[str] = ()) -> Section:
    """Return the section with the command that writes the same page, "lab" or "features".

    ``beside`` are ids of the methods beside the chosen one.
    """
    words = [*COMMAND, "path", *choice_words(choice)]
    words += ["--view", view, *(["--beside", ",".join(beside)] if beside else []), "--html", f"{view}.html"]
    return Section("The command that makes this page", code=shlex.join(words))


def option_controls(picture: type[Picture[Any]]) -> dict[str, Any]:
    """Render the control of every option that has one, and return the values chosen, by option."""
    return {name: option_control(picture, name) for name in picture.controls()}


def option_control(
    picture: type[Picture[Any]],
    name: str,
    *,
    among: Collection[Any] = (),
    default: Any = None,
    width: int | None = None,
    label: Literal["visible", "collapsed"] = "collapsed",
) -> Any:
    """Render the control of an option, bound to the address, and return the value chosen.

    A choice among titles is a segmented control, a number a slider of ``width`` pixels, a switch a toggle, whose label
    is always seen. Where not all values can be chosen now, ``among`` has those that can; ``default`` is the value that
    the page begins with, where a script begins with another.
    """
    declared, key = picture.options()[name], picture.controls()[name]
    begins = picture.default(name) if default is None else default
    if declared.titles:
        titles = {value: str(title) for value, title in declared.titles.items() if not among or value in among}
        if st.session_state.get(key, begins) not in titles:
            st.session_state[key] = begins
        return address.one_of(
            declared.label, titles, key=key, begins=begins, label_visibility=label, help=declared.help
        )
    if isinstance(begins, bool):
        return st.toggle(declared.label, begins, key=key, bind="query-params", help=declared.help)
    return st.slider(
        declared.label, declared.low, declared.high, begins, declared.step, key=key, bind="query-params",
        label_visibility=label, format=declared.format, help=declared.help, width=width or "stretch",
    )  # fmt: skip
