"""How static files are served: compressed, under names that change with their content."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise is not typed
    """Imports in script modules use the changing names too, so that no browser mixes two versions."""

    support_js_module_import_aggregation = True
