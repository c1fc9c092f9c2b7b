"""Published recipes under their papers' names, and the registry that lists them."""

from core.methods.base import Fit, Method, MethodRun, Training
from core.methods.registry import METHODS, get_method

__all__ = ["METHODS", "Fit", "Method", "MethodRun", "Training", "get_method"]
