"""The Django app of analyses."""

from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    name = "analysis"
