"""Prints an OpenBLAS kernel that this processor has but does not take by itself, for OPENBLAS_CORETYPE.

Another kernel adds in another order, as another processor would. Prints nothing where numpy has another BLAS, or a
build of OpenBLAS for one processor only.
"""

import os
import subprocess
import sys

CANDIDATES = ("Haswell", "Nehalem", "NEOVERSEN1", "ARMV8")
ASK = """
import numpy, threadpoolctl
numpy.ones((64, 64)) @ numpy.ones((64, 64))
print(*(x.get("architecture") for x in threadpoolctl.threadpool_info() if x["internal_api"] == "openblas"))
"""


def kernel_in_use(asked: str | None = None) -> str:
    """What numpy computes with, '' where that is no OpenBLAS or the kernel asked for cannot run here."""
    environment = os.environ | {"OPENBLAS_CORETYPE": asked} if asked else dict(os.environ)
    told = subprocess.run([sys.executable, "-c", ASK], env=environment, capture_output=True, text=True, check=False)
    return told.stdout.strip().split(" ")[0] if told.returncode == 0 else ""


own = kernel_in_use()
others = (name for name in CANDIDATES if own and name.lower() != own.lower())
print(next((name for name in others if kernel_in_use(name).lower() == name.lower()), ""))
