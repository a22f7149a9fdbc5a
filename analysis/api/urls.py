"""Addresses of results of analyses and of data releases in the API."""

from django.urls import path

from annotate.web.lazy_views import LazyViews

api = LazyViews("analysis.api.views")
releases = LazyViews("analysis.api.releases")

RELEASE = "campaigns/<uuid:uuid>/releases/<uuid:release>"

urlpatterns = [
    path("campaigns/<uuid:uuid>/answers/", api.AnswersView, name="api-answers"),
    path("campaigns/<uuid:uuid>/ranking/", api.RankingView, {"analysis": "ranking"}, name="api-ranking"),
    path(
        "campaigns/<uuid:uuid>/agreement/", api.AgreementView, {"analysis": "agreement"}, name="api-agreement"
    ),
    path("campaigns/<uuid:uuid>/releases/", releases.DataReleaseList, name="api-data-releases"),
    path(f"{RELEASE}/", releases.DataReleaseDetail, name="api-data-release"),
    path(f"{RELEASE}/confirm/", releases.ConfirmDataRelease, name="api-confirm-data-release"),
    path(f"{RELEASE}/delete/", releases.DeleteDataRelease, name="api-delete-data-release"),
    path(f"{RELEASE}/data.zip", releases.DataReleaseZip, name="api-data-release-zip"),
    path("campaigns/<uuid:uuid>/analyses/<slug:analysis>/", api.AnalysisView, name="api-analysis"),
    path("corpora/<uuid:uuid>/analyses/<slug:analysis>/", api.CorpusAnalysisView, name="api-corpus-analysis"),
]
