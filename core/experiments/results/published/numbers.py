"""Numbers that the papers and the LETOR site printed, as data with their source.

Numbers are facts; the files beside this module hold them as printed, one line a number:

- ``laporte2014.csv``: Laporte, Flamary, Canu, Déjean, Mothe, IEEE TNNLS 25(6), 2014, Tables III to VI; of the
  latter two the best method's value, which is all they print; every significant decrease is in
  ``laporte2014_degradations.csv``. Table II has formulas, which are the penalties here.
- ``lai2013_fenchelrank.csv``: Lai, Pan, Liu, Lin, Wu, IEEE Transactions on Computers 62(6), 2013, every number of
  Tables 2 to 9; the p-values of Tables 3 and 9 as `printed_tests` reads them.
- ``lai2013_fsmrank.csv``: Lai, Pan, Tang, Yu, IEEE TNNLS 24(6), 2013, every number of Tables I to III. In the text at
  hand the third pair of rows of Table III stands before its label; by elimination it is NP2004's.
- ``letor3_baselines.csv``: the baselines of the LETOR 3.0 site (MAP and NDCG@1, 3, 5, 10, on the test parts).
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from core.experiments.results.published.settings import LETOR3, Printed, PrintedSettings, printed_settings

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
class PublishedNumber(Printed):
    """A number as printed; a mean over five folds unless its measure names one fold.

    Attributes
    ----------
    system : str
        Its name in the source.
    measure : str
        "MAP", "NDCG@10", …, "sparsity ratio" (of the features that are not zero everywhere), "share of features" (of
        all, as Lai et al. count), "t-test p of MAP" (its system is "A against B": p of the paired test that A is no
        better), or what else a table has ("queries", "radius of fold 1", …).
    value : float
    """

    system: str
    measure: str
    value: float

    @property
    def settings(self) -> PrintedSettings | None:
        """Settings of the number, if this program has the method; None for other systems and facts of the data."""
        return printed_settings(self.paper, self.system, self.dataset, self.measure)


@lru_cache(maxsize=1)
def published_numbers() -> tuple[PublishedNumber, ...]:
    """Return all numbers of the papers."""
    return tuple(
        PublishedNumber(row["source"], row["dataset"], row["system"], row["measure"], float(row["value"]))
        for paper in PAPERS
        for row in rows_of(paper)
    )


@lru_cache(maxsize=1)
def letor3_baselines() -> tuple[PublishedNumber, ...]:
    """Return the means over folds on the test parts of the baselines of the LETOR 3.0 site."""
    return tuple(
        PublishedNumber(LETOR3, row["dataset"], row["algorithm"], measure, float(value))
        for row in rows_of("letor3_baselines")
        if row["fold"] == "average"
        for measure, value in row.items()
        if measure not in ("dataset", "algorithm", "fold")
    )


def rows_of(name: str) -> list[dict[str, str]]:
    """Return the lines of a table of this folder, by the names of its columns; a p of 0.001 stands for "<0.001"."""
    text = (files(__package__) / f"{name}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))
