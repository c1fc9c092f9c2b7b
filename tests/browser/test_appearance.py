"""Readable in both themes and on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.lab import Lab
from tests.browser.server import Server
from tests.browser.watch import Watch
