"""Feature names: read from a file beside the data, or built in for published feature sets."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from core.data.dataset import Convention
from core.data.errors import DataError, refuse
from core.data.files.file_content import AnyPath, PathT, content_of, read_content
from core.data.ranking_data import RankingData, unnamed

Features = Sequence[str | int]
"""Features by name, or by number counting from 1."""
_JUDGED_DOCUMENTS = 100
TITLES = {"letor3": "LETOR 3.0", "letor4": "LETOR 4.0"}
_PARTS_OF_A_PLACE = 4
"""Of a path: the file, its fold, the dataset's folder and the one above."""
PART_NAMES = {
    "train": ("train", "trainingset"),
    "vali": ("vali", "valid", "validation", "validationset"),
    "test": ("test", "testset"),
}
"""Names of the files of each part of a fold, in lower case and without an ending; the last one is LETOR 3.0's."""
_NAMES = "feature_names.txt"
_INDEXED = re.compile(r"([0-9]{1,9})\t(.*)")


def is_part_name(name: str) -> bool:
    """Tell whether a file is named like a part of a fold."""
    return any(name.lower().partition(".")[0] in spellings for spellings in PART_NAMES.values())


def is_letor3_name(name: str) -> bool:
    """Tell whether a file is named like a part of LETOR 3.0, e.g. ``trainingset.txt``."""
    return any(name.lower().partition(".")[0] == spellings[-1] for spellings in PART_NAMES.values())


@dataclass(frozen=True)
class KnownFeatures:
    """A published feature set: its names, how to recognise data that has it, and a note on names that are not certain.

    ``document_id`` is a regular expression that its document ids match; None where it has no document ids.
    ``called`` is one for the names of its datasets. ``own_ids`` says whether no other data has such ids: they show the
    set wherever it lies, where plain numbers or none show nothing.
    """

    file: str
    n_features: int
    document_id: str | None
    convention: Convention
    note: str | None
    called: str
    own_ids: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the order of the features."""
        return _builtin(self.file)

    def reason(self, data: RankingData, place: str) -> str | None:
        """Say what shows that the data has this set; None where nothing does.

        The number of features and the kind of document ids must be its own. Beside them, the place says so, or ids that
        no other data has, or the names that LETOR 3.0 gives its files.
        """
        if data.n_features != self.n_features:
            return None
        ids = data.document_ids
        if (ids is None) != (self.document_id is None):
            return None
        if ids is not None and not all(re.match(self.document_id or "", text) for text in ids[:_JUDGED_DOCUMENTS]):
            return None
        kept = re.split(r"[\\/]+", place)[-_PARTS_OF_A_PLACE:]
        said = next((part for part in reversed(kept) if re.search(self.called, part, re.IGNORECASE)), None)
        if said is not None:
            return f"it has {self.n_features} features and lies in {said!r}"
        if ids and self.own_ids:
            return f"it has {self.n_features} features and documents named like {ids[0]!r}"
        if self.convention == "letor3" and is_letor3_name(kept[-1]):
            return f"it has {self.n_features} features, documents named by numbers, and a file called {kept[-1]!r}"
        return None


_INFERRED = "Names of features {} are inferred from the pattern of LETOR 4.0 rather than seen in its documentation."
_GOV, _OHSUMED = _INFERRED.format("1–39"), _INFERRED.format("13–15 and 28–30")
_MSLR = "Names of features 71–136 agree with a public listing where it was seen."
KNOWN: tuple[KnownFeatures, ...] = (
    KnownFeatures("letor4_46.txt", 46, r"GX\d", "letor4", None, r"MQ200[78]|LETOR[-_ ]?4", own_ids=True),
    KnownFeatures("letor3_gov_64.txt", 64, r"G\d\d-", "letor3", _GOV, r"(TD|HP|NP)200[34]|\bGov\b", own_ids=True),
    KnownFeatures("letor3_ohsumed_45.txt", 45, r"\d+$", "letor3", _OHSUMED, "OHSUMED"),
    KnownFeatures("mslr_136.txt", 136, None, "standard", _MSLR, "MSLR"),
)


def recognise(data: RankingData, place: str) -> KnownFeatures | None:
    """Return the published feature set that data of a path, or an upload of a name, says it has; None if none."""
    return next((known for known in KNOWN if known.reason(data, place) is not None), None)


def convention_of(place: str, read: Callable[[], RankingData]) -> tuple[Convention, tuple[str, ...]]:
    """Return the metric convention that a dataset says it has, and why in a sentence; standard where it says nothing.

    The place is the path of its (training) file, or the name of an upload. ``read`` reads its first documents; what is
    wrong with them is said elsewhere.
    """
    try:
        data = read()
    except DataError:
        return "standard", ()
    known = recognise(data, place)
    if known is None or known.convention == "standard":
        return "standard", ()
    return known.convention, (f"Measures are those of {TITLES[known.convention]}: {known.reason(data, place)}.",)


def names_note(feature_names: Sequence[str]) -> str | None:
    """Return the note to show beside built-in names that are not certain; None for any other names."""
    given = tuple(feature_names)
    return next((known.note for known in KNOWN if known.names == given), None)


def feature_names_for(data: RankingData, names_file: AnyPath | None, place: str) -> tuple[str, ...]:
    """Return the names in a names file, else those that the data's own file gives, else those of `recognise`.

    Raises a `DataError` if the names file cannot be used or names another number of features.
    """
    if names_file is None:
        known = recognise(data, place) if data.feature_names == unnamed(data.n_features) else None
        return data.feature_names if known is None else known.names
    names = read_feature_names(names_file)
    if len(names) != data.n_features:
        refuse(f"it names {len(names)} features, but the data next to it has {data.n_features}", file=names_file.name)
    return names


def names_file_beside(data_file: PathT, *more_folders: PathT) -> PathT | None:
    """Find ``feature_names.txt`` in the folder of a data file, else in one of the other folders."""
    candidates = [data_file.parent / _NAMES]
    candidates += [folder / _NAMES for folder in more_folders]
    return next((path for path in candidates if path != data_file and path.is_file()), None)


def read_feature_names(path: AnyPath) -> tuple[str, ...]:
    """Read a names file: one name a line, or ``index<TAB>name`` with indices from 1 in any order.

    Raises a `DataError` if a name is missing or comes twice, or the indices are not 1, 2, ..., n.
    """
    file = path.name
    text = read_content(content_of(path), file).decode("utf-8", errors="replace")
    lines = [line.strip() for line in text.rstrip().split("\n")]
    matches = [_INDEXED.fullmatch(line) for line in lines]
    indexed = [(int(match[1]), match[2].strip()) for match in matches if match]
    if len(indexed) == len(lines):
        if sorted(index for index, _ in indexed) != list(range(1, len(lines) + 1)):
            refuse(f"the indices before the names must be 1 to {len(lines)}, each once", file=file)
        names = [name for _, name in sorted(indexed)]
    else:
        names = lines
    first_line: dict[str, int] = {}
    for line, feature in enumerate(names, 1):
        if not feature:
            refuse("the name is missing", file=file, line=line)
        if feature in first_line:
            refuse(f"{feature!r} is the name of feature {first_line[feature]} already", file=file, line=line)
        first_line[feature] = line
    return tuple(names)


@cache
def _builtin(file: str) -> tuple[str, ...]:
    text = files("core.data").joinpath("feature_names", file).read_text("utf-8")
    return tuple(line.partition("\t")[2] for line in text.splitlines())


def columns(features: Features, names: Sequence[str]) -> list[int]:
    """Return the columns, from 0, of features given by name or by number counting from 1.

    Raises a `ValueError` if there is no such feature.
    """
    found = []
    for feature in features:
        if isinstance(feature, str) and feature in names:
            found.append(names.index(feature))
        elif not isinstance(feature, str) and 1 <= feature <= len(names):
            found.append(int(feature) - 1)
        else:
            msg = f"there is no feature {feature!r}; names are as in the data, numbers go from 1 to {len(names)}"
            raise ValueError(msg)
    return found
