from .base import Parameter, Penalty
from .by_feature import FeatureWeighted, Signed, weighted_l1_of
from .coupled import ImportanceSimilarity, L1Ball, lifted
from .separable import L1, L2, MCP, SCAD, Log, Lp, WeightedL1
from .subset import L0, L2AtMost, L2Budget, L2On, L2OnSelected, L2Survivors, Refitted

__all__ = [
    "L0",
    "L1",
    "L2",
    "MCP",
    "SCAD",
    "FeatureWeighted",
    "ImportanceSimilarity",
    "L1Ball",
    "L2AtMost",
    "L2Budget",
    "L2On",
    "L2OnSelected",
    "L2Survivors",
    "Log",
    "Lp",
    "Parameter",
    "Penalty",
    "Refitted",
    "Signed",
    "WeightedL1",
    "lifted",
    "weighted_l1_of",
]
