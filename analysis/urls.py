from django.urls import path

from analysis import views

urlpatterns = [
    path("campaigns/<uuid:uuid>/ranking/", views.ranking, name="ranking"),
    path(
        "campaigns/<uuid:uuid>/ranking/expected-wins.<str:image>", views.expected_wins, name="expected-wins"
    ),
    path("corpora/<uuid:uuid>/distinct-outputs.<str:image>", views.distinct_outputs, name="distinct-outputs"),
]
