"""Addresses of operation."""

from django.urls import path

from annotate.web.lazy_views import LazyViews

views = LazyViews("operation.views")

urlpatterns = [
    path("healthz", views.healthz, name="healthz"),
    path("metrics", views.metrics, name="site-metrics"),
]
