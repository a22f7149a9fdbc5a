"""Types of arrays, by what they hold."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
CountArray = NDArray[np.int64] | NDArray[np.float64]
"""Counts, or sums of weights."""

AnyArray = NDArray[Any]
"""An array of any type."""
