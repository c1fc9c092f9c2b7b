"""What people call the lines of a run."""

from __future__ import annotations

import pytest

from core.experiments.run.cells import MethodChoice
from core.experiments.run.titles import choice_titles, title_of
from core.methods import METHODS


@pytest.mark.parametrize(
    ("label", "title"),
    [
        ("l1", "RankSVM ℓ1"),
        ("infinite-push-l1", "infinite push ℓ1"),
        ("rwfs-l0", "RankRWFS-ℓ0"),
        ("rwfs-l0:share=0.3", "RankRWFS-ℓ0 (share=0.3)"),
        ("lambdamart", "LambdaMART"),
        ("nobody", "nobody"),
    ],
)
def test_a_label_has_a_title(label: str, title: str) -> None:
    assert title_of(label) == title


def test_no_two_methods_have_the_same_title() -> None:
    titles = choice_titles(MethodChoice(method.id) for method in METHODS)
    assert len(set(titles.values())) == len(METHODS)
