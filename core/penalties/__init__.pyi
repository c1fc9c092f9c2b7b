from .at_most import L2AtMost
from .base import Parameter, Penalty
from .feature_weighted import FeatureWeighted
from .importance_similarity import ImportanceSimilarity, lifted
from .l0 import L0
from .l1 import L1, WeightedL1
from .l1_ball import L1Ball
from .l2 import L2
from .l2_budget import L2Budget
from .l2_on import L2On, L2OnSelected
from .log import Log
from .lp import Lp
from .mcp import MCP
from .refitted import Refitted
from .rounds import weighted_l1_of
from .scad import SCAD
from .signed import Signed
from .survivors import L2Survivors

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
