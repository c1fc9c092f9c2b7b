"""Numbers that the papers and the LETOR site printed, as data with their source.

Numbers are facts; the files beside this module hold them as printed, one line a number:

- ``laporte2014.csv``: Laporte, Flamary, Canu, Déjean, Mothe, IEEE TNNLS 25(6), 2014, Tables III, V and VI; of the
  latter two the best method's value, which is all they print; the others are in `published_degradations`. Table IV is
  in `published_sparsity`; Table II has formulas, which are the penalties here.
- ``lai2013_fenchelrank.csv``: Lai, Pan, Liu, Lin, Wu, IEEE Transactions on Computers 62(6), 2013, every number of
  Tables 2 to 9; the p-values of Tables 3 and 9 as `published_tests` reads them.
- ``lai2013_fsmrank.csv``: Lai, Pan, Tang, Yu, IEEE TNNLS 24(6), 2013, every number of Tables I to III. In the text at
  hand the third pair of rows of Table III stands before its label; by elimination it is NP2004's.
- ``letor3_baselines.csv``: the baselines of the LETOR 3.0 site (MAP and NDCG@1, 3, 5, 10, on the test parts).
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from core.experiments.results.published.settings import PrintedSettings, printed_settings

PAPERS = ("laporte2014", "lai2013_fenchelrank", "lai2013_fsmrank")
SYSTEMS = {
    "fenchelrank": "FenchelRank",
    "fsmrank": "FSMRank",
    "l1": "RankSVM-l1",
    "mcp": "RankSVM-MCP",
    "log": "RankSVM-log",
    "l0.5": "RankSVM-l0.5",
}
"""Names of the systems of Laporte et al., by the ids of their methods here."""
P_VALUE = "t-test p of "
"""Prefix of the measure of a p-value; its system is "A against B"."""


@dataclass(frozen=True)
class PublishedNumber:
    """A number as printed; a mean over five folds unless its measure names one fold.

    Attributes
    ----------
    source : str
        Paper and table.
    dataset : str
        Its name in the catalogue.
    system : str
        Its name in the source.
    measure : str
        "MAP", "NDCG@10", …, "sparsity ratio" (of the features that are not zero everywhere), "share of features" (of
        all, as Lai et al. count), "t-test p of MAP" (its system is "A against B": p of the paired test that A is no
        better), or what else a table has ("queries", "radius of fold 1", …).
    value : float
    """

    source: str
    dataset: str
    system: str
    measure: str
    value: float

    @property
    def paper(self) -> str:
        """The source without the number of its table."""
        return self.source.split(", Table")[0]

    @property
    def settings(self) -> PrintedSettings | None:
        """Settings of the number, if this program has the method; None for other systems and facts of the data."""
        return printed_settings(self.paper, self.system, self.dataset, self.measure)


@dataclass(frozen=True)
class Baseline:
    """A line of the LETOR 3.0 site: values of an algorithm by measure, on a fold or as "average" over folds."""

    dataset: str
    algorithm: str
    fold: str
    values: dict[str, float]


@dataclass(frozen=True)
class Degradation:
    """An entry of Table V or VI of Laporte et al.: a method significantly below the best of its line.

    Attributes
    ----------
    dataset, measure, method : str
    decrease_percent : float
    p : float
        As printed; 0.001 stands for "<0.001".
    """

    dataset: str
    measure: str
    method: str
    decrease_percent: float
    p: float


@lru_cache(maxsize=1)
def published_numbers() -> tuple[PublishedNumber, ...]:
    """Return all numbers of the papers."""
    table_iv = (
        PublishedNumber(TABLE_IV, dataset, SYSTEMS[method], "sparsity ratio", value)
        for method, by_dataset in published_sparsity().items()
        for dataset, value in by_dataset.items()
    )
    others = (
        PublishedNumber(row["source"], row["dataset"], row["system"], row["measure"], float(row["value"]))
        for paper in PAPERS
        for row in _rows(paper)
    )
    return (*table_iv, *others)


@lru_cache(maxsize=1)
def letor3_baselines() -> tuple[Baseline, ...]:
    """Return the baselines of the LETOR 3.0 site on every fold and on average, test parts."""
    return tuple(
        Baseline(row.pop("dataset"), row.pop("algorithm"), row.pop("fold"), {name: float(row[name]) for name in row})
        for row in _rows("letor3_baselines")
    )


def published_degradations() -> tuple[Degradation, ...]:
    """Return every significant decrease of Tables V (MAP) and VI (NDCG@10) of Laporte et al. (2014)."""
    return tuple(
        Degradation(row["dataset"], row["measure"], row["method"], float(row["decrease_percent"]), float(row["p"]))
        for row in _rows("laporte2014_degradations")
    )


def _rows(name: str) -> list[dict[str, str]]:
    text = (files(__package__) / f"{name}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


TABLE_IV = "Laporte et al. 2014, Table IV"
"""Means over each dataset's five folds, two digits as printed (IEEE Trans. Neural Netw. Learn. Syst. 25(6))."""
_METHODS = ("fenchelrank", "fsmrank", "l1", "mcp", "log", "l0.5")
_TABLE = {
    "OHSUMED": (0.23, 0.41, 0.28, 0.34, 0.12, 0.22),
    "MQ2008": (0.30, 0.42, 0.39, 0.27, 0.09, 0.07),
    "MQ2007": (0.58, 0.64, 0.60, 0.19, 0.29, 0.05),
    "HP2004": (0.19, 0.26, 0.17, 0.24, 0.06, 0.12),
    "NP2004": (0.27, 0.37, 0.43, 0.32, 0.13, 0.23),
    "TD2004": (0.46, 0.67, 0.42, 0.28, 0.36, 0.30),
    "HP2003": (0.27, 0.48, 0.25, 0.39, 0.27, 0.16),
    "NP2003": (0.23, 0.44, 0.48, 0.36, 0.23, 0.27),
    "TD2003": (0.53, 0.76, 0.48, 0.40, 0.34, 0.20),
}
PRINTED_MEANS = dict(zip(_METHODS, (0.34, 0.49, 0.39, 0.31, 0.21, 0.18), strict=True))


def published_sparsity() -> Mapping[str, Mapping[str, float]]:
    """Return the sparsity ratio in [0, 1] by method id, then by the dataset's name in the catalogue."""
    return {method: {name: row[k] for name, row in _TABLE.items()} for k, method in enumerate(_METHODS)}
