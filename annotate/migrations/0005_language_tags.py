"""Names of languages that were stored as if they were tags become the tags: English becomes en."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from core.languages import tag_of


def name_languages_by_tags(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    corpora = apps.get_model("annotate", "Corpus").objects
    for language in set(corpora.values_list("language", flat=True)):
        if tag := tag_of(language):
            corpora.filter(language=language).update(language=tag)


class Migration(migrations.Migration):
    dependencies = [("annotate", "0004_described_corpora")]

    operations = [migrations.RunPython(name_languages_by_tags, migrations.RunPython.noop)]
