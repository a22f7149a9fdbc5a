"""How static files are served: compressed, under names that change with their content."""

from django.contrib.staticfiles.apps import StaticFilesConfig
from whitenoise.storage import CompressedManifestStaticFilesStorage


class CollectedFiles(StaticFilesConfig):
    """All files, except those of the API documentation's package that its page does not load."""

    ignore_patterns = [
        *StaticFilesConfig.ignore_patterns,
        "redoc",
        "swagger-ui-standalone-preset.js",
        "oauth2-redirect.*",
        "*.js.map",
    ]


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise is not typed
    """Imports in script modules use the changing names too, so that no browser mixes two versions."""

    support_js_module_import_aggregation = True
