"""Compiling functions by Numba, with the machine code kept for later processes.

Only modules that hold compiled functions import this one, for importing Numba takes half a second.
"""

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit  # noqa: TID253  # functions import the modules of kernels

Function = TypeVar("Function", bound=Callable[..., object])


def compiled(function: Function) -> Function:
    """Keep the code beside the module, or in the user's cache; where neither can be written, nowhere.

    A compiled function lets go of Python's lock and starts no threads itself.
    """
    try:
        return cast(Function, njit(cache=True, nogil=True, error_model="numpy")(function))
    except RuntimeError:
        return cast(Function, njit(nogil=True, error_model="numpy")(function))
