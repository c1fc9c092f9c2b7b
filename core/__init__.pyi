from .analysis.features.feature_rules import FeatureRules
from .api import pictures
from .api.dask_ranker import DaskSparseRanker
from .api.data import evaluate, list_datasets, list_methods, ranking_data, ranking_score, single_features
from .api.estimator import SparseRanker
from .api.fitting import fit, fit_path
from .api.protocol import run_protocol
from .data import DataError, Fold, RankingData
from .data.reading import Reading, open_dataset
from .export.saved.site import save_site
from .methods import get_method
from .models import Model, ModelPath

__all__ = [
    "DaskSparseRanker",
    "DataError",
    "FeatureRules",
    "Fold",
    "Model",
    "ModelPath",
    "RankingData",
    "Reading",
    "SparseRanker",
    "evaluate",
    "fit",
    "fit_path",
    "get_method",
    "list_datasets",
    "list_methods",
    "open_dataset",
    "pictures",
    "ranking_data",
    "ranking_score",
    "run_protocol",
    "save_site",
    "single_features",
]
