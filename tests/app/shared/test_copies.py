"""A file with every feature and query twice: the pages say so, and leave the copies out at a press of a button."""

from __future__ import annotations

import numpy as np
import pytest

from tests.app.conftest import Open
from tests.app.fitting import assert_fine, chosen, give
from tests.cases import sweep
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")


def twice() -> bytes:
    random = np.random.default_rng(2)
    lines = []
    for query in range(10):
        for level in random.permutation([0, 0, 1, 2]):
            a, b = level + random.normal(), random.normal()
            lines.append((f"{level} qid:", query, f" 1:{a:.3f} 2:{b:.3f} 3:{a:.3f} 4:{b:.3f}\n"))
    texts = [f"{head}{query + copy}{tail}" for copy in (0, 10) for head, query, tail in lines]
    return "".join(texts).encode()


@pytest.mark.parametrize("page", sweep(["data", "features"]))
def test_copies_are_named_counted_and_left_out(open_app: Open, page: str) -> None:
    app = open_app(page)
    give(app, ("mine.txt", twice()))
    assert_fine(app)
    note = next(m.value for m in app.main.markdown if ":material/content_copy:" in m.value)
    assert_says(note, "2", "feature 1 = feature 3", "feature 2 = feature 4", "10 queries")
    assert sum(part.n_queries for part in chosen(app).fold.parts().values()) == 20
    app.button(key="copies_out").click().run()
    assert_fine(app)
    fold = chosen(app).fold
    assert sum(part.n_queries for part in fold.parts().values()) == 10
    assert not fold.train.features[:, 2:].any()
    assert not [m.value for m in app.main.markdown if ":material/content_copy:" in m.value]
    app.toggle(key="drop_copies").set_value(False).run()
    assert sum(part.n_queries for part in chosen(app).fold.parts().values()) == 20
