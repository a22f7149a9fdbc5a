from django.db import migrations, models


class Migration(migrations.Migration):
    """How long visits are at least, and how they were checked. Nullable, so that no row is rewritten."""

    dependencies = [
        ("annotate", "0024_shared_link_tokens"),
    ]

    operations = [
        migrations.AddField(
            model_name="annotator",
            name="screens_due",
            field=models.PositiveIntegerField(
                blank=True,
                null=True,
                help_text="Screens to answer before the allowance ends, however short the batches were.",
            ),
        ),
        migrations.AddField(
            model_name="visit",
            name="control_cases",
            field=models.PositiveIntegerField(
                blank=True,
                null=True,
                help_text="Screens with source and control that the worker had judged at the end.",
            ),
        ),
        migrations.AddField(
            model_name="visit",
            name="control_passed",
            field=models.PositiveIntegerField(
                blank=True, null=True, help_text="Those with the control below the source."
            ),
        ),
        migrations.AddField(
            model_name="visit",
            name="was_checked",
            field=models.BooleanField(
                blank=True,
                null=True,
                help_text="Whether there were enough of them for the control rule; "
                "null where the campaign has no such screens.",
            ),
        ),
    ]
