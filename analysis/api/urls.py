"""Addresses of results of analyses in the API."""

from django.urls import path

from annotate.web.lazy_views import LazyViews

api = LazyViews("analysis.api.views")

urlpatterns = [
    path("campaigns/<uuid:uuid>/answers/", api.AnswersView, name="api-answers"),
    path("campaigns/<uuid:uuid>/ranking/", api.RankingView, {"analysis": "ranking"}, name="api-ranking"),
    path(
        "campaigns/<uuid:uuid>/agreement/", api.AgreementView, {"analysis": "agreement"}, name="api-agreement"
    ),
    path("campaigns/<uuid:uuid>/analyses/<slug:analysis>/", api.AnalysisView, name="api-analysis"),
    path("corpora/<uuid:uuid>/analyses/<slug:analysis>/", api.CorpusAnalysisView, name="api-corpus-analysis"),
]
