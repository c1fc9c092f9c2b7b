"""Rules for features, as one value: what must not be in a model, what pays nothing, signs and costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TypedDict

import numpy as np

from core.analysis.features.rules import Rules
from core.data import RankingData
from core.data.naming import Features, columns
from core.methods import Method, get_method


class RuleKeywords(TypedDict, total=False):
    """The fields of `FeatureRules` as keywords of a function."""

    off: Features
    must: Features
    helps: Features
    hurts: Features
    costs: Mapping[str | int, float] | None


@dataclass(frozen=True)
class FeatureRules:
    """What features may do; each by name or by number counting from 1.

    Attributes
    ----------
    off, must, helps, hurts : sequence of str or int
        Features that must not be in the model, that pay no penalty, whose weight may not be below 0, or not above 0.
    costs : mapping, optional
        Of features, by name or number; those without one cost 1. Only their ratios matter.
    """

    off: Features = ()
    must: Features = ()
    helps: Features = ()
    hurts: Features = ()
    costs: Mapping[str | int, float] | None = field(default=None)

    @classmethod
    def given(cls, rules: FeatureRules | None, keywords: RuleKeywords) -> FeatureRules:
        """Return the rules that were given as a value or as keywords.

        Raises a `ValueError` if both were given.
        """
        if rules is not None and keywords:
            msg = f"give rules, or {', '.join(keywords)}, not both"
            raise ValueError(msg)
        return cls(**keywords) if rules is None else rules

    @property
    def active(self) -> bool:
        """Whether there is a rule."""
        return any(len(value or ()) for value in asdict(self).values())

    def by_column(self, names: Sequence[str]) -> Rules | None:
        """Return `of` these features; None where there is no rule."""
        return self.of(names) if self.active else None

    def of(self, names: Sequence[str]) -> Rules:
        """Return the rules by column of data with these features.

        Raises a `ValueError` if there is no such feature, or a feature is to help and to hurt.
        """
        every_cost = np.ones(len(names))
        for feature, cost in (self.costs or {}).items():
            every_cost[columns([feature], names)] = cost
        helping, hurting = columns(self.helps, names), columns(self.hurts, names)
        both = [names[j] for j in hurting if j in helping]
        if both:
            msg = f"{both[0]!r} can either help or hurt, not both"
            raise ValueError(msg)
        return Rules.of(
            len(names),
            off=columns(self.off, names),
            forced=columns(self.must, names),
            costs=every_cost,
            helps=helping,
            hurts=hurting,
        )


def method_under_rules(method: str | Method, data: RankingData, rules: FeatureRules | None = None) -> Method:
    """Return the method with rules for features; without any, as it is.

    Raises a `ValueError` if there is no such feature, a feature is to help and to hurt, or the method keeps every
    feature whatever it costs.
    """
    plain = get_method(method) if isinstance(method, str) else method
    if rules is None or not rules.active:
        return plain
    if not plain.separable:
        msg = (
            f"{plain.title} does not support rules for features; choose a sparse method with a penalty of its own, "
            "such as l1"
        )
        raise ValueError(msg)
    return rules.of(data.feature_names).applied(plain)
