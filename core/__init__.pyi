from core.analysis.features.feature_rules import FeatureRules as FeatureRules
from core.api import pictures as pictures
from core.api.dask_ranker import DaskSparseRanker as DaskSparseRanker
from core.api.data import evaluate as evaluate
from core.api.data import list_datasets as list_datasets
from core.api.data import list_methods as list_methods
from core.api.data import ranking_data as ranking_data
from core.api.data import ranking_score as ranking_score
from core.api.data import single_features as single_features
from core.api.estimator import SparseRanker as SparseRanker
from core.api.model import Model as Model
from core.api.model import fit as fit
from core.api.path import ModelPath as ModelPath
from core.api.path import fit_path as fit_path
from core.api.protocol import run_protocol as run_protocol
from core.data import DataError as DataError
from core.data import Fold as Fold
from core.data import RankingData as RankingData
from core.data.reading import Reading as Reading
from core.data.reading import open_dataset as open_dataset
from core.methods import get_method as get_method

__all__: list[str]
