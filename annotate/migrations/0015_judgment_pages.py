from django.db import migrations, models
import django.db.models.deletion


class Migration(migrations.Migration):
    """Pages of judgments are stretches of indexes."""

    dependencies = [
        ("annotate", "0014_kept_numbers_counted"),
    ]

    operations = [
        migrations.AlterField(
            model_name="judgment",
            name="campaign",
            field=models.ForeignKey(
                db_index=False,
                help_text="The item's, so that a page of a campaign's judgments is a stretch of an index.",
                on_delete=django.db.models.deletion.CASCADE,
                related_name="judgments",
                to="annotate.campaign",
            ),
        ),
        migrations.AddIndex(
            model_name="judgment",
            index=models.Index(fields=["annotator", "id"], name="judgment_page_of_annotator"),
        ),
        migrations.AddIndex(
            model_name="judgment",
            index=models.Index(fields=["campaign", "id"], name="judgment_page"),
        ),
        migrations.AddIndex(
            model_name="judgment",
            index=models.Index(fields=["campaign", "state", "id"], name="judgment_page_in_state"),
        ),
        migrations.AddIndex(
            model_name="judgment",
            index=models.Index(condition=models.Q(("is_reported", True)), fields=["campaign", "id"], name="judgment_page_reported"),
        ),
    ]
