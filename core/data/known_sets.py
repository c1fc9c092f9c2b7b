"""Published datasets that people bring themselves, and where to get them; not all may be redistributed."""

from __future__ import annotations

from dataclasses import dataclass

_LETOR = "https://www.microsoft.com/en-us/research/project/letor-learning-rank-information-retrieval/"
_MSLR = "https://www.microsoft.com/en-us/research/project/mslr/"
_UCI = "https://archive.ics.uci.edu"


@dataclass(frozen=True)
class KnownSet:
    """A published dataset: name, title, the page that offers it, and where to put its folder or file."""

    name: str
    title: str
    page: str
    place: str = "put its folder {name} under $SPARSE_RANK_DATA/letor"

    @property
    def provenance(self) -> str:
        """Title and page in one sentence."""
        return f"{self.title}; {self.page}"

    @property
    def where(self) -> str:
        """One sentence that says where to get the dataset and where to put it."""
        return f"Get it from {self.page} and {self.place.format(name=self.name)}."


_AS_FILE = "save it as $SPARSE_RANK_DATA/uci/{name}.csv, with the class in the last column"
_AS_IT_IS = "save it as $SPARSE_RANK_DATA/uci/{name}.csv, with its columns unchanged"

KNOWN_SETS: tuple[KnownSet, ...] = (
    KnownSet("MQ2007", "LETOR 4.0: Million Query track 2007", _LETOR),
    KnownSet("MQ2008", "LETOR 4.0: Million Query track 2008", _LETOR),
    KnownSet("OHSUMED", "LETOR 3.0: medical publications", _LETOR),
    KnownSet("TD2003", "LETOR 3.0: topic distillation 2003 (.Gov)", _LETOR),
    KnownSet("TD2004", "LETOR 3.0: topic distillation 2004 (.Gov)", _LETOR),
    KnownSet("HP2003", "LETOR 3.0: homepage finding 2003 (.Gov)", _LETOR),
    KnownSet("HP2004", "LETOR 3.0: homepage finding 2004 (.Gov)", _LETOR),
    KnownSet("NP2003", "LETOR 3.0: named page finding 2003 (.Gov)", _LETOR),
    KnownSet("NP2004", "LETOR 3.0: named page finding 2004 (.Gov)", _LETOR),
    KnownSet("MSLR-WEB10K", "Microsoft Bing: 10 000 queries", _MSLR),
    KnownSet("ionosphere", "UCI: radar returns, bad (b) or good (g)", _UCI, _AS_FILE),
    KnownSet("sonar", "UCI: sonar returns of rocks (R) and mines (M)", _UCI, _AS_FILE),
    KnownSet("wpbc", "UCI: breast cancer that recurs (R) or not (N)", _UCI, _AS_IT_IS),
    KnownSet("spectf", "UCI: hearts, normal (0) or abnormal (1); training and test file in one", _UCI, _AS_IT_IS),
)
