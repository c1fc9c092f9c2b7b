from __future__ import annotations

import pytest
from streamlit import config

from pages.shared.server import look

SECTIONS = ("theme", "theme.light", "theme.dark.sidebar", "server")


@pytest.fixture(autouse=True)
def remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "get_options_for_section", config.get_options_for_section)  # put back afterwards
    look.remember_options()
    look.remember_options()


@pytest.mark.parametrize("section", SECTIONS)
def test_options_are_those_of_the_configuration_and_nobody_changes_them_for_others(section: str) -> None:
    told = config.get_options_for_section(section)
    assert told == look._options(section)
    told.clear()
    assert config.get_options_for_section(section) == look._options(section) != {}


def test_the_configuration_is_looked_through_once_for_each_of_its_versions() -> None:
    config.get_options_for_section("theme")
    before = look._known.cache_info().misses
    config.get_options_for_section("theme")
    assert look._known.cache_info().misses == before
    config._on_config_parsed.send()  # as after an edit of the file
    config.get_options_for_section("theme")
    assert look._known.cache_info().misses == 1
