from django.db import migrations, models


def those_at_work_have_read(apps, schema_editor):
    """Annotators who were shown a screen, or are through with practice, are not sent back to the guidelines."""
    at_work = models.Q(shown_at__isnull=False) | models.Q(answered_at__isnull=False)
    annotators = apps.get_model("annotate", "Annotator").objects
    annotators.filter(at_work | models.Q(has_practised=True)).update(has_read_guidelines=True)


class Migration(migrations.Migration):
    """A campaign can go without context, and guidelines come before an annotator's first screen."""

    dependencies = [
        ("annotate", "0022_judgments_of_items"),
    ]

    operations = [
        migrations.AddField(
            model_name="design",
            name="shows_context",
            field=models.BooleanField(
                default=True,
                help_text="Sentences before and after in the document stand beside the sentence.",
            ),
        ),
        migrations.AddField(
            model_name="annotator",
            name="has_read_guidelines",
            field=models.BooleanField(
                default=False, help_text="Or has passed the page that shows them before the first screen."
            ),
        ),
        migrations.RunPython(those_at_work_have_read, migrations.RunPython.noop),
    ]
