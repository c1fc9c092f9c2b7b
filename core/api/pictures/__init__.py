"""The app's pictures for a notebook: each function draws one, with the table that the app offers beneath it.

::

    from sparse_ranking_lab import fit_path, open_dataset, pictures

    dataset = open_dataset("python-docs")
    l1, log = (fit_path(dataset.fold(1), method, points=50) for method in ("l1", "log"))
    picture = pictures.tradeoff([l1, log])
    picture.table
    picture.save("tradeoff")  # tradeoff.csv and tradeoff.html
"""

# mypy: implicit-reexport
# ruff: noqa: F401

from core.analysis.penalties.pair import FeaturePair
from core.analysis.tuning.method_rows import BenchMethod
from core.figures.best_subset.alternatives_picture import NearOptimalPicture as near_optimal_sets
from core.figures.best_subset.objective_picture import BestSubsetsPicture as best_subsets
from core.figures.features.distributions import FeatureValues as feature_values
from core.figures.features.distributions import RelevanceLevels as relevance_levels
from core.figures.features.first_entry import EntryOrder as entry_order
from core.figures.features.kept_features import FeaturesPicture as features
from core.figures.features.similarity import KeptSimilarity as kept_similarity
from core.figures.features.similarity import SimilarityPicture as similarity
from core.figures.features.single_feature import SingleFeatures as single_features
from core.figures.features.stability_picture import StabilityPicture as stability
from core.figures.features.what_if_picture import WhatIfPicture as what_if
from core.figures.fit.picture import ConvergencePicture as convergence
from core.figures.fit.picture import WeightsPicture as weights
from core.figures.fit.race_picture import RacePicture as race
from core.figures.path.choice_noise_picture import ChoiceNoisePicture as choice_noise
from core.figures.path.picture import PathsPicture as paths
from core.figures.path.tuning_picture import TuningPicture as tuning
from core.figures.penalties.pair_pictures import Reweighting as reweighting
from core.figures.penalties.pair_pictures import Starts as starts
from core.figures.penalties.pair_pictures import TwoFeatures as two_features
from core.figures.penalties.penalties import PenaltyCurves as penalty_curves
from core.figures.protocol.features import ProtocolAgreement as protocol_agreement
from core.figures.protocol.features import ProtocolFeatures as protocol_features
from core.figures.protocol.sparsity import ProtocolSpider as protocol_spider
from core.figures.protocol.sparsity import ProtocolTime as protocol_time
from core.figures.protocol.tradeoff import ProtocolTradeoff as protocol_tradeoff
from core.figures.queries.picture import QueriesPicture as queries
from core.figures.top.lists_picture import TopOfLists as top_of_lists
from core.figures.top.one_list import TopOfOneList as top_of_one_list
from core.figures.tradeoff.budget_picture import BudgetPicture as budget
from core.figures.tradeoff.methods_picture import MethodsPicture as methods
from core.figures.tradeoff.over_folds import TradeoffOverFolds as tradeoff_over_folds
from core.figures.tradeoff.picture import TradeoffPicture as tradeoff
from core.figures.tradeoff.truncation import Truncation as truncation

__all__ = sorted(name for name, found in globals().items() if isinstance(found, type))
