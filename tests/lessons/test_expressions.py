"""The language of answers: a small part of Python that is never run as Python."""

from __future__ import annotations

import pytest

from core.lessons.expressions import Named, parsed

NAMED = Named({"a": "fit", "p": "path"}, ("few", "many"))
FACTS = {
    "a": {"kept": 3, "gap": 0.25, "names": ("signal 1", "echo 1"), "weights": {"signal 1": 2.0}},
    "p": {"ratio": (1.0, 0.1, 0.01), "kept": (0, 2, 5)},
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a.kept + 1", 4), ("-a.gap * 4 ** 2 / 2 - 7 // 2 + 7 % 4", -2.0), ("many if a.kept > 2 else few", "many"),
        ("1 < a.kept <= 3 and not a.gap > 1 or False", True), ("p.kept[argmax(p.ratio)]", 0),
        ("p.kept[nearest(p.ratio, 0.09)]", 2), ("p.kept[-1]", 5), ('a.weights["signal 1"]', 2.0),
        ('named(a.names, "signal")', 1), ("first_below(p.ratio, 0.5)", 1),
        ("rising(few=a.kept, many=a.gap)", ("many", "few")),
        ("falling(few=a.kept, many=a.gap)", ("few", "many")), ("most(few=a.kept, many=a.gap)", "few"),
        ("least(few=a.kept, many=a.gap)", "many"), ("points(p.ratio, p.kept)", ((0.01, 5.0), (0.1, 2.0), (1.0, 0.0))),
        ("sum(p.kept) + max(p.kept) + min(p.kept) + len(p.kept) + mean(p.kept)", 7 + 5 + 0 + 3 + 7 / 3),
        ('"echo 1" in a.names', True), ("round(a.gap, 1) + abs(-a.gap) + sqrt(4) + log10(100)", 0.2 + 0.25 + 2 + 2),
        ("argmin(p.ratio)", 2),
    ],
)  # fmt: skip
def test_an_expression_has_its_value(text: str, value: object) -> None:
    found = parsed(text, NAMED).value(FACTS)
    assert found == (pytest.approx(value) if isinstance(value, float) else value)


@pytest.mark.parametrize(
    "text",
    [
        "5", "few", "a", "b.kept", "a.fact", "a.kept.real", "a.__class__", "__import__('os').system(a.kept)",
        "open(a.kept)",
        "lambda: a.kept", "[a.kept for _ in p.kept]", "f'{a.kept}'", "(a.kept := 3)", "p.kept[0:1]", "a.kept @ a.gap",
        "a.kept is 3", "rising(a.kept)", "rising(none=a.kept)", "rising(**a.weights)", "max(*p.kept)", "a.kept\nb", "",
        "{a.kept}", "a.kept if", "a.kept " + "+ 1" * 200, "await a.kept", "b'1' + a.kept",
        "a.kept + 1j", "...",
    ],
)  # fmt: skip
def test_what_the_language_has_not_is_refused_when_it_is_read(text: str) -> None:
    with pytest.raises(ValueError) as refused:
        parsed(text, NAMED)
    assert str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "a.kept / (a.kept - 3)", "p.kept[9]", 'a.weights["none"]', "a.steps", "first_below(p.ratio, 0.001)",
        "a.kept ** 1e9",
        "10 ** 99 ** a.kept", "p.kept * 9", "a.names + a.names", "sqrt(-a.kept)", "points(p.ratio, a.names)",
        "a.names > 2",
        "mean(a.kept)", "9.0 ** 99 * 9.0 ** 99 * 9.0 ** 99 ** a.kept",
    ],
)  # fmt: skip
def test_what_has_no_value_says_so(text: str) -> None:
    with pytest.raises(ValueError, match="has no value here"):
        parsed(text, NAMED).value(FACTS)
