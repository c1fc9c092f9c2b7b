"""The pages of the app, from its own table, and what tests expect of each: the one place where a page comes or goes."""

from collections.abc import Set
from dataclasses import dataclass, replace

from pages.shared.frame import PAGES as GROUPS

ROWS = {name: row for pages in GROUPS.values() for name, row in pages.items()}
PAGES = sorted(ROWS)
Query = dict[str, str]


@dataclass(frozen=True)
class Expected:
    """What is expected of a page."""

    hidden: frozenset[str] = frozenset()  # the controls of the choice that it does not use
    hidden_at: tuple[Query, frozenset[str]] | None = None  # an address, and the ones that it does not use there
    model: bool = True  # whether the strip says what the chosen model reaches
    path: bool = True  # whether a page with that model and a picture has the path, too
    names: bool = True  # whether it shows names of features, queries or documents before something is chosen on it
    # Addresses, and the pictures there whose scripts are run; of all pictures: tests/figures/test_picture.py.
    scripts: tuple[tuple[Query, str], ...] = ()
    of_class: tuple[Query, ...] = ()  # addresses that speak of the data, in the words of class data too
    opened: tuple[Query, ...] = ({},)  # for anybody; the first screen of the first one belongs to its picture
    presented: tuple[Query, ...] = ()  # of these, what can be read from the last row
    share: float = 0.45  # how much of a laptop's screen its picture fills at least; 0 without one
    titled: bool = False  # whether its charts have titles
    # Its parts to which lessons lead, and how many pictures a site has of each; None where it has none, nor a table.
    lessons: Set[tuple[str, int | None]] = frozenset()


def _each(key: str, *values: str) -> tuple[Query, ...]:
    return tuple({key: value} for value in values)


_TEXT = Expected(frozenset({"data", "fold", "method", "c"}), model=False, names=False, share=0.0)
_DOCS = {"dataset": "python-docs"}
EXPECTED = {
    "fit": Expected(
        scripts=(
            ({"method": "log", "C": "0.5"}, "convergence weights"),
            ({"method": "l1", "off": "3", "tune_rule": "one-se"}, "tuning"),
        ),
        of_class=({},),
        opened=({}, {"race": "1"}),
    ),
    "queries": Expected(
        scripts=(({"method": "l1", "queries_look": "all queries"}, "query_changes"),),
        path=False, of_class=({},), presented=({},), lessons={("", 1)},
    ),
    "start": Expected(),
    "data": Expected(
        frozenset({"method", "c"}),
        model=False, names=False,
        scripts=(({}, "labels"),),
        of_class=_each("data_section", "overview", "features", "similarity", "query"),
        opened=({}, *_each("data_section", "features", "query", "similarity")),
        presented=({}, {"data_section": "query"}),
        share=0.35, lessons={("overview", 1), ("features", 1), ("query", None), ("similarity", None)},
    ),
    "path": Expected(
        of_class=({},),
        opened=(
            {"beside": "log"}, {"beside": "log", "present": "1"}, {"C": "abc", "method": "nobody"},
            {"dataset": "not-here"},
        ),
    ),
    "features": Expected(
        scripts=(
            ({"method": "log"}, "selection"),
            ({"method": "l1", "features_section": "what if", "off": "3", "cost": "1:2"}, "what_if"),
            ({"features_section": "rivals", "alternatives_k": "2"} | _DOCS, "alternatives"),
        ),
        of_class=_each("features_section", "what if", "stability", "entry order", "rivals"),
        opened=(
            {}, *_each("features_section", "entry order", "what if", "stability"),
            {"features_section": "rivals", "alternatives_k": "2"},
        ),
        presented=({}, {"features_section": "entry order"}),
        titled=True, lessons={("rivals", None), ("similarity", None)},
    ),
    "tradeoff": Expected(
        scripts=(
            ({"tradeoff_folds": "all", "tradeoff_methods": "l1,log", "tradeoff_bars": "min–max"}, "tradeoff"),
            ({"tradeoff_methods": "l1,fs-rank", "k": "4", "margin": "0.2"}, "truncation choice_noise"),
            ({"tradeoff_methods": "l1,log", "k": "5", "tradeoff_measure": "NDCG@10"} | _DOCS, "tradeoff certified"),
        ),
        of_class=({}, {"tradeoff_measure": "MAP"}),
        presented=({},), titled=True,
    ),
    "top": Expected(
        names=False,
        scripts=(({"method": "l1", "top_part": "vali"}, "shares"),),
        of_class=({},), presented=({},), titled=True, lessons={("", 1)},
    ),
    "ten": Expected(
        frozenset({"c"}),
        model=False, names=False,
        scripts=(
            ({"ten_limit": "5", "ten_step": "who suffers", "off": "3"}, "query_changes"),
            ({"ten_limit": "5"}, "ten"),
        ),
        of_class=_each("ten_step", "rules", "budget", "one more", "who suffers", "out"),
        opened=({}, *_each("ten_step", "out", "who suffers")),
        presented=({"ten_step": "out"},),
    ),
    "methods": Expected(
        hidden_at=({"bench_c": "validation"}, frozenset({"c"})),
        model=False, names=False,
        scripts=(({"method": "log"}, "methods"),),
        of_class=({},), presented=({},),
    ),
    "reproduce": Expected(frozenset({"fold", "method", "c"}), model=False, names=False),
    "lessons": Expected(frozenset({"method", "c"}), model=False, names=False, share=0.0),
    "penalties": Expected(
        frozenset({"data", "fold", "c"}),
        hidden_at=({"penalties_section": "Two features"}, frozenset()),
        model=False, names=False,
        scripts=(
            ({"method": "mcp", "penalties_section": "Reweighting", "round": "2"}, "round_plane majoriser"),
            ({"method": "mcp", "penalties_section": "Two features", "pair": "from the chosen data"}, "plane"),
        ),
        of_class=({},), presented=({},), titled=True, lessons={("Curves", 3), ("Several+starts", None)},
    ),
    "numbers": replace(_TEXT, presented=({},), lessons={("", 0), ("", None)}),
    "docs": replace(_TEXT, opened=()),
}  # fmt: skip
"""In the order in which they are tried; a few of the first ones before every commit."""
EXAMPLE = next(name for name, row in EXPECTED.items() if row.model and row.opened == row.presented)
TEXT = next(name for name, row in reversed(EXPECTED.items()) if row.hidden == _TEXT.hidden)
"""Pages for tests of other things: one with every control and the chosen model, one without either."""
