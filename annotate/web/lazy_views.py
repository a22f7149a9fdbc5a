"""Views that are imported when first requested.

The web server starts with the modules that judging needs. Other pages need pandas, SciPy or Altair, which
take longer to import than all the rest and would delay the restart of a killed server.
"""

from functools import cached_property
from importlib import import_module
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

_modules: set[str] = set()


def load_views() -> None:
    """Import the views that have not been requested yet."""
    for module in sorted(_modules):
        import_module(module)


class LazyViews:
    """Represents a module of views in a URL configuration."""

    def __init__(self, module: str) -> None:
        self._module = module
        _modules.add(module)

    def __getattr__(self, name: str) -> "LazyView":
        return LazyView(self._module, name)


class LazyView:
    """A view, by its module's name and its own."""

    def __init__(self, module: str, name: str) -> None:
        self.__module__, self.__name__, self.__qualname__ = module, name, name

    def __call__(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        response: HttpResponseBase = self._view(request, *args, **kwargs)
        return response

    def __getattr__(self, name: str) -> Any:
        """Attributes that decorators have set on the view, such as its rule."""
        # Django looks for `view_class` while it reads the URLs, too early to load anything.
        if name == "view_class" or name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._view, name)

    @cached_property
    def _view(self) -> Any:
        view = getattr(import_module(self.__module__), self.__name__)
        return view.as_view() if hasattr(view, "as_view") else view
