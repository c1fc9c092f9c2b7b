"""Published ranking methods under their papers' names, and the registry that lists them."""

from core.methods.base import Method, Variant
from core.methods.method_run import Fit, MethodRun
from core.methods.registry import METHODS, get_method
from core.methods.training import EmptyOptimumError, Training

__all__ = ["METHODS", "EmptyOptimumError", "Fit", "Method", "MethodRun", "Training", "Variant", "get_method"]
