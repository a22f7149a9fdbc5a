"""A leaderboard keeps the last number of its versions, so that none is used again."""

from django.db import migrations, models
from django.db.models import Max
from django.db.models.functions import Coalesce


def number_of_versions(apps, schema_editor):
    leaderboards = apps.get_model("analysis", "Leaderboard").objects.using(schema_editor.connection.alias)
    for leaderboard in leaderboards.annotate(newest=Coalesce(Max("versions__number"), 0)):
        leaderboard.last_number = leaderboard.newest
        leaderboard.save(update_fields=["last_number"])


class Migration(migrations.Migration):
    dependencies = [("analysis", "0006_leaderboards")]

    operations = [
        migrations.AddField(
            model_name="leaderboard",
            name="last_number",
            field=models.PositiveIntegerField(
                default=0,
                help_text="Of its versions, those that are deleted included: a number is never used again.",
            ),
        ),
        migrations.RunPython(number_of_versions, migrations.RunPython.noop),
    ]
