"""Addresses of the dashboards."""

from django.urls import path

from annotate.web.lazy_views import LazyViews

exclusion_views = LazyViews("analysis.pages.exclusions")
quality_views = LazyViews("analysis.pages.quality")
views = LazyViews("analysis.pages.ranking")

urlpatterns = [
    path("campaigns/<uuid:uuid>/ranking/", views.ranking, name="ranking"),
    path("campaigns/<uuid:uuid>/quality/", quality_views.quality, name="quality"),
    path("campaigns/<uuid:uuid>/quality/compute/", quality_views.compute, name="compute-quality"),
    path(
        "campaigns/<uuid:uuid>/annotators/<int:annotator>/exclude/",
        exclusion_views.exclude,
        name="exclude-annotator",
    ),
    path(
        "campaigns/<uuid:uuid>/annotators/<int:annotator>/readmit/",
        exclusion_views.readmit,
        name="readmit-annotator",
    ),
    path("campaigns/<uuid:uuid>/ranking/compute/", views.compute, name="compute-ranking"),
    path("campaigns/<uuid:uuid>/ranking/systems.<str:image>", views.ranking_figure, name="ranking-figure"),
    path(
        "campaigns/<uuid:uuid>/ranking/agreement.<str:image>", views.agreement_figure, name="agreement-figure"
    ),
    path("campaigns/<uuid:uuid>/progress.<str:image>", views.progress_figure, name="progress-figure"),
    path("corpora/<uuid:uuid>/distinct-outputs.<str:image>", views.distinct_outputs, name="distinct-outputs"),
]
