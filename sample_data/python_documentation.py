"""The documented objects of Python's standard library, found by importing and looking, never by calling.

Modules are named one by one rather than discovered: the list leaves out what exists on one platform only
(``posix``, ``winreg``, ``curses``), what depends on how Python was built (``sqlite3``, ``ssl``, ``hashlib``)
and what acts when imported (``antigravity``, ``this``, ``turtle``, ``idlelib``).
"""

from __future__ import annotations

import importlib
import inspect
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

MODULES = """
abc argparse array ast asyncio base64 bdb binascii bisect builtins calendar cmath cmd code codecs codeop
collections collections.abc colorsys compileall concurrent.futures configparser contextlib contextvars
copy copyreg csv dataclasses datetime decimal difflib dis doctest email.charset email.header
email.headerregistry email.message email.mime.base email.mime.text email.parser email.policy email.utils
enum filecmp fileinput fnmatch fractions ftplib functools gc getopt gettext glob graphlib gzip heapq hmac
html html.parser http http.client http.cookiejar http.cookies http.server imaplib importlib importlib.abc
importlib.machinery importlib.metadata importlib.resources importlib.util inspect io ipaddress itertools
json json.decoder json.encoder keyword linecache logging logging.config logging.handlers mailbox marshal
math mimetypes modulefinder netrc numbers operator optparse pathlib pdb pickle pickletools pkgutil
platform plistlib poplib pprint profile pstats pyclbr pydoc queue quopri random re reprlib rlcompleter
runpy sched secrets selectors shelve shlex shutil smtplib socketserver statistics string stringprep struct
symtable tabnanny tarfile tempfile textwrap threading timeit token tokenize trace traceback tracemalloc
types typing unicodedata unittest unittest.mock urllib.error urllib.parse urllib.request urllib.response
urllib.robotparser uuid warnings wave weakref webbrowser wsgiref.handlers wsgiref.headers
wsgiref.simple_server wsgiref.util xml.dom.minidom xml.dom.pulldom xml.etree.ElementTree xml.sax.handler
xml.sax.saxutils xml.sax.xmlreader xmlrpc.client xmlrpc.server zipapp zipfile zipimport
""".split()  # noqa: SIM905

_SIGNATURE_PARAGRAPH = re.compile(r"[\w.]+\(")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


@dataclass(frozen=True)
class Documented:
    """One object of the library with a docstring of its own.

    ``name`` is qualified; ``owner`` is the class of a method, else the module. ``body`` is the docstring
    without ``summary``, its first sentence. ``parameters`` are names only: defaults and annotations print
    differently from one run to the next.
    """

    name: str
    kind: str
    module: str
    owner: str
    parameters: tuple[str, ...]
    summary: str
    body: str


def documented_objects() -> list[Documented]:
    """All documented modules, classes, functions and methods of ``MODULES``, sorted by name."""
    seen: set[int] = set()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        found = [entry for name in MODULES for entry in _of_module(importlib.import_module(name), name, seen)]
    return sorted(found, key=lambda entry: entry.name)


def _of_module(module: ModuleType, name: str, seen: set[int]) -> Iterator[Documented]:
    yield from _describe(module, name, "module", name, name)
    for attribute, thing in _public(vars(module)):
        if id(thing) in seen or not _belongs(thing, attribute, module, name):
            continue
        seen.add(id(thing))
        qualified = f"{name}.{attribute}"
        if inspect.isclass(thing):
            yield from _describe(thing, qualified, "class", name, qualified)
            yield from _of_class(thing, qualified, name)
        elif inspect.isroutine(thing):
            yield from _describe(thing, qualified, "function", name, name)


def _of_class(cls: type, qualified: str, module: str) -> Iterator[Documented]:
    for attribute, thing in _public(vars(cls)):
        if isinstance(thing, staticmethod | classmethod):
            thing = thing.__func__
        if inspect.isroutine(thing):
            yield from _describe(thing, f"{qualified}.{attribute}", "method", module, qualified)


def _public(namespace: Mapping[str, object]) -> list[tuple[str, object]]:
    return [(key, namespace[key]) for key in sorted(namespace) if not key.startswith("_")]


def _belongs(thing: object, attribute: str, module: ModuleType, name: str) -> bool:
    """Whether the module is home to the object: it, a part of it, or its accelerator (``_heapq``) defines it."""
    home = getattr(thing, "__module__", None)
    if home is None:
        return attribute in getattr(module, "__all__", ())
    return home == name or str(home).startswith((f"{name}.", "_"))


def _describe(thing: Any, name: str, kind: str, module: str, owner: str) -> Iterator[Documented]:
    """The object's entry, or nothing where it has no docstring of its own with a first sentence."""
    text = thing.__doc__
    if not isinstance(text, str):
        return
    summary, body = split_docstring(inspect.cleandoc(text))
    if summary:
        yield Documented(name, kind, module, owner, _parameters(thing), summary, body)


def split_docstring(text: str) -> tuple[str, str]:
    """First sentence of a docstring and the rest; a leading paragraph that is a signature is dropped."""
    paragraphs = re.split(r"\n\s*\n", text.strip())
    if _SIGNATURE_PARAGRAPH.match(paragraphs[0]):
        paragraphs = paragraphs[1:]
    if not paragraphs:
        return "", ""
    first, *rest = _SENTENCE_END.split(" ".join(paragraphs[0].split()), maxsplit=1)
    return first, "\n\n".join([*rest, *paragraphs[1:]])


def _parameters(thing: Callable[..., object]) -> tuple[str, ...]:
    try:
        names = inspect.signature(thing).parameters
    except (TypeError, ValueError):
        return ()
    return tuple(name for name in names if name not in ("self", "cls"))
