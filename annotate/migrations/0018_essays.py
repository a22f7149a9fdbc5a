from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def mark_essays(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Corpora whose sentences have line ends were imported from essays."""
    corpora = apps.get_model("annotate", "Corpus").objects.using(editor.connection.alias)
    corpora.filter(sentences__text__contains=" ¶ ").update(holds_essays=True)


class Migration(migrations.Migration):
    dependencies = [("annotate", "0017_interface_language")]

    operations = [
        migrations.AddField(
            model_name="corpus",
            name="holds_essays",
            field=models.BooleanField(
                default=False,
                help_text="Its sentences are whole essays, in which ¶ stands for the end of a line. They are "
                "shown in paragraphs, the original beside the correction.",
            ),
        ),
        migrations.RunPython(mark_essays, migrations.RunPython.noop, elidable=True),
    ]
