"""The commands ``run`` and ``serve``: the app, from any folder."""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from typing import NoReturn

from core.cli.options import within
from core.program import FOLDER


def add_run(parser: ArgumentParser) -> None:
    """Give the command its options."""
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser tab")
    _add_place(parser, "127.0.0.1")


def add_serve(parser: ArgumentParser) -> None:
    """Give the command its options."""
    parser.add_argument(
        "--class",
        action="store_true",
        dest="in_class",
        help="for a class: people join by a code, and their pages follow the presenter's",
    )
    parser.add_argument("--no-browser", action="store_true", help="with --class: do not open the presenter's page")
    _add_place(parser, "0.0.0.0")


def _add_place(parser: ArgumentParser, address: str) -> None:
    parser.add_argument("--address", default=address, metavar="A", help=f"interface to listen to (default {address})")
    parser.add_argument(
        "--port", type=within(int, 1, 65535), default=8501, metavar="N", help="port to listen to (default 8501)"
    )


def run(options: Namespace) -> NoReturn:
    """Start the app for the person at this machine, and open it in the browser."""
    _start({"server.headless": "true" if options.no_browser else "false"} | _place(options))


def serve(options: Namespace) -> NoReturn:
    """Start the app for other machines; its log is one JSON object a line unless the environment says otherwise.

    In front of a class its log is for people, and the presenter's page opens in the browser.
    """
    settings = {"server.fileWatcherType": "none", "logger.hideWelcomeMessage": "true"}
    if options.in_class:
        os.environ["SPARSE_RANK_CLASS"] = "1"
        settings["server.headless"] = "true" if options.no_browser else "false"
    else:
        os.environ.setdefault("SPARSE_RANK_LOG", "json")
    _start(settings | _place(options))


def _place(options: Namespace) -> dict[str, str]:
    return {"server.address": options.address, "server.port": str(options.port)}


def _start(settings: Mapping[str, str]) -> NoReturn:
    """Become the server, so that a signal to stop reaches it; where a process cannot become another, wait for it."""
    flags = [f"--{name}={value}" for name, value in settings.items()]
    # -P: whatever lies in the folder where the person is, Python shall not take it for a module of ours.
    words = [sys.executable, "-P", "-m", "streamlit", "run", str(FOLDER / "app.py"), *flags]
    if os.name == "posix":
        os.execv(words[0], words)
    raise SystemExit(subprocess.run(words, check=False).returncode)
