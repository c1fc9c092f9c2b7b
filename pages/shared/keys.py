"""Names under which the session keeps what several files know of.

Many are in the address, too, so a name that has been used stays as it is.
"""

from __future__ import annotations

from typing import Any

from core.data.reading import OF_A_FILE, Reading

# The choice, as the sidebar's controls keep it; addresses have the same names.
DATASET = "dataset"
FOLD = "fold"
SCALE = "scale"
CLASS_SCALE = "class_scale"
HOLDOUT = "holdout"
GRADED_DIVISION = "parts"
DIVISION = "division"
POSITIVE = "positive"
CLASS_COLUMN = "class_column"
QUERY_COLUMN = "query_column"
RELEVANCE_COLUMN = "relevance_column"
DOCUMENT_COLUMN = "document_column"
DROP_COLUMNS = "drop_columns"
MISSING = "missing"
GROUP = "group"
DROP_COPIES = "drop_copies"
METHOD = "method"
SOLVER = "solver"
TOL = "tol"
C = "C"
OFF = "off"
FORCED = "forced"
COST = "cost"
HELPS = "helps"
HURTS = "hurts"
RATIO = "ratio"
"""lambda / lambda_max, in addresses only; the session has the slider's step."""
RATIO_STEP = "ratio_step"
ROLES = (QUERY_COLUMN, RELEVANCE_COLUMN, DOCUMENT_COLUMN)
RULES = (OFF, FORCED, COST, HELPS, HURTS)
"""Rules for features, as `core.analysis.features.rules` writes them."""

# What the sidebar has made of it.
CHOICE = "choice"
NO_CHOICE = "no_choice"
"""The error for which there is no choice."""
READABLE = "readable"
"""Source and fold that can be looked at, whether or not anything can be learned from them."""
MY_UPLOADS = "my_uploads"
"""The digests of this session's uploads, by their names in the list of datasets."""
OPENED = "opened_upload"
"""Data that is to be chosen in the next run of the page, until its choice stands on the page."""
WANTED_DATA = "wanted_data"
"""The dataset that a link names and that is not here, until it is, or another one is chosen."""
LINK_NOTE = "link_note"
"""What is to be said of a link to data that is not here."""

TOOLS = "tools"
"""The row of tools over the picture of a page."""
RULES_SEEN = "rules_seen"
"""Of which data and feature names the rules for features are, once the sidebar has read them."""
RULES_OF = "rules_of"
"""Of which features the rules have the numbers: a digest of the names of all."""
RULES_NOTE = "rules_note"
"""What is to be said of rules for features that cannot be."""
MARGIN = "margin"
"""Within which two methods are equivalent."""
FEATURES_SECTION = "features_section"
"""What the Features page looks at."""
AUTOSTART = "autostart"
"""Whether the Fit page is to fit as soon as it opens."""

# Rooms of a page, by which its first screen is measured.
PICTURE = "picture"


def chart_key(name: str) -> str:
    """Of a chart, by its name among the page's pictures."""
    return f"chart_{name}"


# Session and addresses keep every option of a file under its own name.
SWITCHES = tuple(one.name for one in OF_A_FILE if one.default is False and one.name != DROP_COPIES)
"""Switches of a file with graded relevance."""
CHOICES = tuple(one.name for one in OF_A_FILE if one.metadata["choices"] and one.name != MISSING)
"""Options with choices, beside that for missing cells, which is asked only where some are."""
BOUND = (POSITIVE, *SWITCHES)
"""Those whose controls Streamlit binds to the address; the others are written to it by the pages."""


def in_session(reading: Reading) -> dict[str, Any]:
    """What the session keeps of how a file is read, beside scaling and division, which have controls of their own."""
    return {one.name: getattr(reading, one.name) for one in OF_A_FILE} | {
        POSITIVE: reading.positive or "",
        DROP_COLUMNS: ",".join(reading.drop_columns) or None,
    }
