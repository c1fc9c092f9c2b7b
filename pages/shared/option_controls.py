"""Controls of a picture's options, built from its declaration."""

from __future__ import annotations

from typing import Any, Literal

import streamlit as st

from core.figures.picture import Picture
from pages.shared.choice import link


def option_control(
    picture: type[Picture[Any]],
    name: str,
    key: str,
    *,
    default: Any = None,
    help: str = "",
    width: int | None = None,
    label: Literal["visible", "collapsed"] = "collapsed",
) -> Any:
    """Render the control of an option, bound to the address, and return the value chosen.

    A choice among titles is a segmented control, a number a slider, a switch a toggle.

    Parameters
    ----------
    picture : type of Picture
    name : str
        Of the option.
    key : str
        Of the control, in session state and address.
    default : optional
        Where the page begins with another value than a script.
    help : str
        In place of the declared help, where the page can say more.
    width : int, optional
        Of a slider, in pixels.
    label : {"visible", "collapsed"}
        Whether the label stands above the control; a toggle's is always seen.
    """
    declared = picture.options()[name]
    begins = picture.default(name) if default is None else default
    help = help or declared.help
    if declared.titles:
        titles = {value: str(title) for value, title in declared.titles.items()}
        return link.one_of(declared.label, titles, key=key, begins=begins, label_visibility=label, help=help)
    if isinstance(begins, bool):
        return st.toggle(declared.label, begins, key=key, bind="query-params", help=help)
    return st.slider(
        declared.label, declared.low, declared.high, begins, declared.step, key=key, bind="query-params",
        label_visibility=label, format=declared.format, help=help, width=width or "stretch",
    )  # fmt: skip
