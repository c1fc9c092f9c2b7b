"""Numbers that the papers and the LETOR site printed, as data with their source.

Numbers are facts; the files beside this module hold them as printed, one line a number:

- ``laporte2014.csv``: Laporte, Flamary, Canu, Déjean, Mothe, IEEE TNNLS 25(6), 2014, Tables V and VI, which print the
  best method's value only; the others are in `published_degradations`. Table IV is in `published_sparsity`.
- ``lai2013_fenchelrank.csv``: Lai, Pan, Liu, Lin, Wu, IEEE Transactions on Computers 62(6), 2013, Tables 2, 4, 5, 7, 8.
- ``lai2013_fsmrank.csv``: Lai, Pan, Tang, Yu, IEEE TNNLS 24(6), 2013, Tables I to III, as far as the text of the
  paper at hand gives them.
- ``letor3_baselines.csv``: the baselines of the LETOR 3.0 site (MAP and NDCG@1, 3, 5, 10, on the test parts).
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from core.experiments.published_sparsity import SOURCE as TABLE_IV
from core.experiments.published_sparsity import published_sparsity

PAPERS = ("laporte2014", "lai2013_fenchelrank", "lai2013_fsmrank")
LETOR3 = "LETOR 3.0 baselines"
METHODS = {
    "FenchelRank": "fenchelrank",
    "FSMRank": "fsmrank",
    "RankSVM-l1": "l1",
    "RankSVM-MCP": "mcp",
    "RankSVM-log": "log",
    "RankSVM-l0.5": "l0.5",
    "RankSVM-Primal": "l2",
    "TGRank": "tgrank",
    "RSRank": "rsrank",
    "GAS-E": "gas-e",
    "FSMSVM": "fsmsvm",
}
"""Systems of the papers that are methods of this program, by id; the others are cited through their numbers only."""


@dataclass(frozen=True)
class PublishedNumber:
    """A mean over five folds, as printed.

    Attributes
    ----------
    source : str
        Paper and table.
    dataset : str
        As the catalogue calls it.
    system : str
        As the source calls it.
    measure : str
        "MAP", "NDCG@10", …, "sparsity ratio" (of the features that are not zero everywhere), or "share of features" (of
        all, as Lai et al. count).
    value : float
    """

    source: str
    dataset: str
    system: str
    measure: str
    value: float

    @property
    def method(self) -> str | None:
        """Id of the method of this program that it is; None where there is none."""
        return METHODS.get(self.system)


@dataclass(frozen=True)
class Baseline:
    """A line of the LETOR 3.0 site: an algorithm on a fold, or "average" over them, by measure."""

    dataset: str
    algorithm: str
    fold: str
    values: dict[str, float]


@dataclass(frozen=True)
class Degradation:
    """An entry of Table V or VI of Laporte et al.: significantly below the best method of its line.

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
    """All numbers of the papers."""
    systems = {method: system for system, method in METHODS.items()}
    table_iv = (
        PublishedNumber(TABLE_IV, dataset, systems[method], "sparsity ratio", value)
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
    """The baselines of the LETOR 3.0 site on every fold and on average, test parts."""
    return tuple(
        Baseline(row.pop("dataset"), row.pop("algorithm"), row.pop("fold"), {name: float(row[name]) for name in row})
        for row in _rows("letor3_baselines")
    )


def published_degradations() -> tuple[Degradation, ...]:
    """Every significant decrease of Tables V (MAP) and VI (NDCG@10) of Laporte et al. (2014)."""
    return tuple(
        Degradation(row["dataset"], row["measure"], row["method"], float(row["decrease_percent"]), float(row["p"]))
        for row in _rows("laporte2014_degradations")
    )


def _rows(name: str) -> list[dict[str, str]]:
    text = (files("core.experiments") / "published" / f"{name}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))
