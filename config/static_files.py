"""How static files are served: compressed, under names that change with their content."""

from django.contrib.staticfiles.apps import StaticFilesConfig
from whitenoise.storage import CompressedManifestStaticFilesStorage


class CollectedFiles(StaticFilesConfig):
    """All but what the package of the API's documentation page holds besides what that page loads."""

    ignore_patterns = [
        *StaticFilesConfig.ignore_patterns,
        "redoc",
        "swagger-ui-standalone-preset.js",
        "oauth2-redirect.*",
        "*.js.map",
    ]


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise is not typed
    """The names that script modules import change with them, so that no browser mixes two versions."""

    support_js_module_import_aggregation = True
