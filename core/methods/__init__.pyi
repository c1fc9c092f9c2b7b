from .base import Method, Variant
from .method_run import Fit, MethodRun
from .registry import METHODS, get_method
from .training import EmptyOptimumError, Training

__all__ = ["METHODS", "EmptyOptimumError", "Fit", "Method", "MethodRun", "Training", "Variant", "get_method"]
