"""What an address of the app may have, from the reference of addresses, which is written from the code of the pages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from urllib.parse import parse_qsl

from core.data.errors import refuse
from core.methods import METHODS

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "addresses.md"
PARTS_OF_A_PAGE = ("sidebar", "strip", "tools", "handle", "legend", "title", "table")
"""What `hide` may name beside keys of the address: parts of every page."""


_PARAMETERS = {one.id: ("tol", *(parameter.name for parameter in one.parameters)) for one in METHODS}


@cache
def pages() -> Mapping[str, tuple[str, ...]]:
    """Return the keys of its own that each page has in its address, by the page's name; the Lab is ``""``."""
    text = REFERENCE.read_text(encoding="utf-8").partition("## By page")[2]
    rows = re.findall(r"^\| [^|]+ \| `/(\w*)` \| (.*) \|$", text, re.MULTILINE)
    return MappingProxyType({page: tuple(re.findall(r"`(\w+)`", keys)) for page, keys in rows})


@cache
def keys_of_every_page() -> tuple[str, ...]:
    """Return the keys that every address may have, beside ``METHOD.NAME``."""
    text = REFERENCE.read_text(encoding="utf-8").partition("## On every page")[2].partition("## By page")[0]
    cells = re.findall(r"^\| ([^|]+) \|", text, re.MULTILINE)
    return tuple(key for cell in cells for key in re.findall(r"`(\w+)`", cell))


def check_address(address: str) -> None:
    """Refuse an address that the app does not know.

    Raises a `ValueError` if it has an unknown page, key, method, solver or parameter; the message lists what there is.
    """
    page, _, query = address.partition("?")
    if page not in pages():
        refuse(
            f"there is no page {page!r}; there is {', '.join(filter(None, pages()))}, and nothing before ? for the Lab"
        )
    try:
        given = parse_qsl(query, keep_blank_values=True, strict_parsing=True) if query else []
    except ValueError:
        refuse(f"{query!r} is not NAME=VALUE&NAME=VALUE")
    if len(dict(given)) < len(given):
        refuse(f"{address!r} has a key twice")
    for key, value in given:
        _check_key(page, key, value)


def check_hidden(name: str, address: str) -> None:
    """Refuse what ``hide`` cannot hide on the page of an address.

    Raises a `ValueError` if it is no key of that page's address and no part of a page.
    """
    page = address.partition("?")[0]
    controls = (*pages().get(page, ()), *keys_of_every_page())
    if name not in (*controls, *PARTS_OF_A_PAGE):
        own = ", ".join((*pages().get(page, ()), *PARTS_OF_A_PAGE))
        refuse(f"the page has no control {name!r} to hide; it has {own}, and the keys of every page")


def _check_key(page: str, key: str, value: str) -> None:
    method, dot, name = key.partition(".")
    if dot:
        if name not in _PARAMETERS.get(method, ()):
            refuse(f"there is no parameter {key!r}; write METHOD.NAME as the reference of methods has them")
    elif key not in (*keys_of_every_page(), *pages()[page]):
        known = ", ".join((*pages()[page], *keys_of_every_page()))
        refuse(f"the page {page or 'Lab'} has no {key!r} in its address; it has {known}")
    if key == "method" and value not in (one.id for one in METHODS):
        refuse(f"there is no method {value!r}; there is {', '.join(one.id for one in METHODS)}")
    if key == "solver" and value not in (solver.id for one in METHODS for solver in one.solvers):
        refuse(f"there is no solver {value!r}")


@cache
def to_hide() -> frozenset[str]:
    """Return everything that `hide` may name on one page or another."""
    own = {key for keys in pages().values() for key in keys}
    return frozenset({*own, *keys_of_every_page(), *PARTS_OF_A_PAGE})
