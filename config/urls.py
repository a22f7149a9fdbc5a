"""All addresses."""

from http import HTTPStatus

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path
from django.views import defaults

from annotate.api.problems import problem_or
from annotate.web.lazy_views import LazyViews
from config import lost_database, refused_request

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("annotate.urls")),
    path("", include("analysis.urls")),
    path("", include("operation.urls")),
    path("api/v1/", include("annotate.api.urls")),
    path("api/v1/", include("analysis.api.urls")),
]
if settings.DEBUG:
    styleguide = LazyViews("annotate.web.styleguide")
    urlpatterns += [
        path("styleguide/", styleguide.styleguide, name="styleguide"),
        path("styleguide/figure.<str:image>", styleguide.example_figure, name="styleguide-figure"),
    ]

handler400 = refused_request.bad_request
handler403 = problem_or(defaults.permission_denied, HTTPStatus.FORBIDDEN)
handler404 = problem_or(defaults.page_not_found, HTTPStatus.NOT_FOUND)
handler500 = lost_database.server_error
