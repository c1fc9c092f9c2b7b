"""Penalties on the weight vector: they make it small, sparse, or both.

A new penalty needs no row here: its method imports it from its own file (see CONTRIBUTING.md).
"""

from core.penalties.at_most import L2AtMost
from core.penalties.base import Parameter, Penalty
from core.penalties.feature_weighted import FeatureWeighted
from core.penalties.importance_similarity import ImportanceSimilarity, lifted
from core.penalties.l0 import L0
from core.penalties.l1 import L1, WeightedL1
from core.penalties.l1_ball import L1Ball
from core.penalties.l2 import L2
from core.penalties.l2_budget import L2Budget
from core.penalties.l2_on import L2On, L2OnSelected
from core.penalties.log import Log
from core.penalties.lp import Lp
from core.penalties.mcp import MCP
from core.penalties.refitted import Refitted
from core.penalties.rounds import weighted_l1_of
from core.penalties.scad import SCAD
from core.penalties.signed import Signed
from core.penalties.survivors import L2Survivors

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
