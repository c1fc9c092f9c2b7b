"""The look that the configuration sets, put together once.

Streamlit describes the theme to the browser anew for every run of a page, from some hundred options that it looks
through a dozen times: a twentieth of what it does for a known page.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from streamlit import config

_options = config.get_options_for_section
_known = cache(_options)


def remember_options() -> None:
    """Look the options of a section up once for each version of the configuration; again without effect."""
    config.on_config_parsed(_known.cache_clear)
    config.get_options_for_section = _remembered


def _remembered(section: str) -> dict[str, Any]:
    return dict(_known(section))
