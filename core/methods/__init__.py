"""Published ranking methods under their papers' names, and the registry that lists them."""

from core.methods.base import Fit, Method, MethodRun, Variant
from core.methods.registry import METHODS, get_method
from core.methods.training import EmptyOptimumError, Training

__all__ = ["METHODS", "EmptyOptimumError", "Fit", "Method", "MethodRun", "Training", "Variant", "get_method"]
