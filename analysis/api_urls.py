from django.urls import path

from analysis import api

urlpatterns = [
    path("campaigns/<uuid:uuid>/ranking/", api.RankingView.as_view(), name="api-ranking"),
    path("campaigns/<uuid:uuid>/agreement/", api.AgreementView.as_view(), name="api-agreement"),
]
