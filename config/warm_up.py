"""Idle web workers load libraries, so that the first request of a page does not wait for them.

Pandas, SciPy and Altair, which take much memory, are still left to the first page that needs them.
"""

from analysis.results.registered_pages import pages
from annotate.web.lazy_views import load_views


def warm_up() -> None:
    """Import all views and all analyses."""
    load_views()
    pages()
