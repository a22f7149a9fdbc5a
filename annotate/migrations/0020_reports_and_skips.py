from django.db import migrations, models


class Migration(migrations.Migration):
    """Pages of reports and skips are stretches of indexes, which hold no other judgments."""

    dependencies = [
        ("annotate", "0019_lapsed_repeats"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="judgment",
            index=models.Index(
                condition=models.Q(("is_reported", True), ("state", "skipped"), _connector="OR"),
                fields=["campaign", "id"],
                name="report_page",
            ),
        ),
        migrations.AddIndex(
            model_name="judgment",
            index=models.Index(
                condition=models.Q(("is_reported", True), ("state", "skipped"), _connector="OR"),
                fields=["annotator", "id"],
                name="report_page_of_annotator",
            ),
        ),
    ]
