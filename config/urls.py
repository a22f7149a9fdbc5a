from django.urls import include, path

urlpatterns = [
    path("", include("annotate.urls")),
    path("", include("analysis.urls")),
]
