"""The Django app of operation."""

from django.apps import AppConfig


class OperationConfig(AppConfig):
    name = "operation"
