"""Numbers that the papers and the LETOR site printed, with their source and the settings with which they were made.

Numbers are facts; the files beside this module hold them as printed, one line a number:

- ``laporte2014.csv``: Laporte, Flamary, Canu, Déjean, Mothe, IEEE TNNLS 25(6), 2014, Tables III to VI; of the
  latter two the best method's value, which is all they print; every significant decrease is in
  ``laporte2014_degradations.csv``. Table II has formulas, which are the penalties here.
- ``lai2013_fenchelrank.csv``: Lai, Pan, Liu, Lin, Wu, IEEE Transactions on Computers 62(6), 2013, every number of
  Tables 2 to 9; the p-values of Tables 3 and 9 as `printed_tests` reads them.
- ``lai2013_fsmrank.csv``: Lai, Pan, Tang, Yu, IEEE TNNLS 24(6), 2013, every number of Tables I to III. In the text at
  hand the third pair of rows of Table III stands before its label; by elimination it is NP2004's.
- ``letor3_baselines.csv``: the baselines of the LETOR 3.0 site (MAP and NDCG@1, 3, 5, 10, on the test parts).

A published number stands beside a row of ours only where both agree. What a paper does not print (mostly its grids) is
ours all the same; ``open`` says what that is.

- Laporte et al. (2014, §V-C) choose by MAP, with γ = 2, ε = 0.1 and p = 0.5, and run FenchelRank and FSMRank anew with
  the grids of their authors.
- Lai et al. (FenchelRank, §8.3) choose by NDCG@10 and print r = 1, 2, 4, …, 256. Their RankSVM-Primal is the LETOR
  site's on LETOR 3.0, and their own run on MQ2008 (§8.4.1).
- Lai et al. (FSMRank, §IV-C) say "by cross-validation". That FSMRank's λ were chosen by NDCG@10 is said by Laporte et
  al. (§V-C), who ran their code; that t of GAS-E and FSMSVM was chosen by MAP, by their Remark 1.
- The LETOR site says that most of its baselines choose by MAP.
- Laporte, Déjean and Mothe (2014, CORIA, §3.2) choose by MAP and print their results as pictures only.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from core.experiments.run.cells import MethodChoice

LAPORTE = "Laporte et al. 2014"
FENCHELRANK = "Lai et al. 2013 (FenchelRank)"
FSMRANK = "Lai et al. 2013 (FSMRank)"
LETOR3 = "LETOR 3.0 baselines"


@dataclass(frozen=True)
class Printed:
    """What a source prints of a dataset."""

    source: str  # paper and table
    dataset: str  # its name in the catalogue

    @property
    def paper(self) -> str:
        """The source without the numbers of its tables."""
        return self.source.split(", Table")[0]


@dataclass(frozen=True)
class PrintedSettings:
    """The settings of a row in a paper."""

    label: str  # label of our choice with the same settings, for `MethodChoice.parse`
    chosen_by: str | None  # the measure on the validation part by which C was chosen; None if it is unknown
    open: str = ""  # settings that the paper does not print, so that ours may differ; empty if it prints everything

    @property
    def choice(self) -> MethodChoice:
        """Our choice with these settings, independent of the program's defaults."""
        return _parsed(self.label)


_GRID = "the grid of C"
_FSMRANK_GRIDS = "the grids of λ₁ and λ₂"
_SETTINGS: Mapping[tuple[str, str], PrintedSettings] = {
    (LAPORTE, "RankSVM-l1"): PrintedSettings("l1", "MAP", _GRID),
    (LAPORTE, "RankSVM-log"): PrintedSettings("log:epsilon=0.1", "MAP", _GRID),
    (LAPORTE, "RankSVM-MCP"): PrintedSettings("mcp:gamma=2", "MAP", _GRID),
    (LAPORTE, "RankSVM-l0.5"): PrintedSettings("l0.5:p=0.5", "MAP", _GRID),
    (LAPORTE, "FenchelRank"): PrintedSettings("fenchelrank", "MAP"),
    (LAPORTE, "FSMRank"): PrintedSettings("fsmrank:importance=pearson:similarity=pearson", "MAP", _FSMRANK_GRIDS),
    (FENCHELRANK, "FenchelRank"): PrintedSettings("fenchelrank", "NDCG@10"),
    (FENCHELRANK, "TGRank"): PrintedSettings("tgrank", "NDCG@10", _GRID),
    (FENCHELRANK, "RSRank"): PrintedSettings("rsrank", "NDCG@10", "the grid of C and details of the loss"),
    **{
        (FENCHELRANK, f"FS-Rank(k={k})"): PrintedSettings(f"fs-rank:k={k}", "NDCG@10", _GRID)
        for k in (5, 10, 15, 20, 25)
    },
    (FSMRANK, "FSMRank"): PrintedSettings("fsmrank:importance=pearson:similarity=pearson", "NDCG@10", _FSMRANK_GRIDS),
    (FSMRANK, "FSMRank(s=S^1)"): PrintedSettings("fsmrank:lambda1=0:importance=none", "NDCG@10", "the grid of λ₂"),
    (FSMRANK, "FSMRank(s=S^PC)"): PrintedSettings("fsmrank:lambda1=0:importance=pearson", "NDCG@10", "the grid of λ₂"),
    (FSMRANK, "GAS-E"): PrintedSettings("gas-e", "MAP", "c, the measure of importance, the values of t, the grid of C"),
    (FSMRANK, "FSMSVM"): PrintedSettings("fsmsvm", "MAP", "λ₁ and λ₂ of its first stage, the values of t, the grid"),
    (LETOR3, "RankSVM-Primal"): PrintedSettings("l2", "MAP", _GRID),
}
RANKSVM_PRIMAL = "RankSVM-Primal"
_OWN_RUN = "MQ2008"  # not on the LETOR 3.0 site, so Lai et al. ran it themselves
_PICTURED = tuple(
    f"{method}:share={share:g}" for method in ("l2-arom", "rwfs-l1", "rwfs-l0") for share in (0.5, 0.3, 0.1)
)
"""Rows of Laporte, Déjean and Mothe (2014), of which no number is printed."""


def printed_settings(paper: str, system: str, dataset: str, measure: str) -> PrintedSettings | None:
    """Return the settings with which a paper made a number; None for systems that this program does not have.

    Parameters
    ----------
    paper : str
        One of the names above.
    system, dataset, measure : str
        Fields of the number, as in `PublishedNumber`.
    """
    if system != RANKSVM_PRIMAL or paper == LETOR3:
        return _SETTINGS.get((paper, system))
    if dataset == _OWN_RUN:
        return PrintedSettings("l2", "NDCG@10", _GRID)
    # The site prints these settings. It has no numbers of features, and no source says how those were chosen.
    return PrintedSettings("l2", None if measure == "share of features" else "MAP", _GRID)


@lru_cache(maxsize=1)
def printed_choices() -> frozenset[MethodChoice]:
    """Return every choice of which a paper prints results with all settings that it names."""
    return frozenset(map(_parsed, {*(found.label for found in _SETTINGS.values()), *_PICTURED}))


@lru_cache(maxsize=64)
def _parsed(label: str) -> MethodChoice:
    return MethodChoice.parse(label)


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
    """A number as printed; a mean over five folds unless its measure names one fold."""

    system: str  # its name in the source
    # "MAP", "NDCG@10", …, "sparsity ratio" (of the features that are not zero everywhere), "share of features" (of all,
    # as Lai et al. count), "t-test p of MAP" (its system is "A against B": p of the paired test that A is no better),
    # or what else a table has ("queries", "radius of fold 1", …).
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
