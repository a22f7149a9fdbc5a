from django.db import migrations, models


class Migration(migrations.Migration):
    """Planned repeats that nobody is expected to answer any more. Nullable, so that no row is rewritten."""

    dependencies = [
        ("annotate", "0018_system_labels"),
    ]

    operations = [
        migrations.AddField(
            model_name="slot",
            name="lapsed_at",
            field=models.DateTimeField(
                null=True,
                help_text="Since when nobody is expected to answer this planned repeat any more.",
            ),
        ),
    ]
