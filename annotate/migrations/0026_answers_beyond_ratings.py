import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    """Answers hold more than ratings, and screens may show fewer than two outputs.

    The new columns are nullable, so that no row is rewritten.
    """

    dependencies = [
        ("annotate", "0025_checked_visits"),
    ]

    operations = [
        migrations.AddField(
            model_name="revision",
            name="further_texts",
            field=models.JSONField(null=True, help_text="The texts of the answer after the first."),
        ),
        migrations.AddField(
            model_name="revision",
            name="verdict",
            field=models.CharField(max_length=50, null=True),
        ),
        migrations.AddField(
            model_name="revision",
            name="details",
            field=models.JSONField(
                null=True, help_text="Whatever else the protocol keeps: a JSON object."
            ),
        ),
        migrations.AlterField(
            model_name="revision",
            name="text",
            field=models.TextField(null=True, help_text="The first text of the answer."),
        ),
        migrations.RemoveConstraint(model_name="design", name="design_screen_compares_outputs"),
        migrations.AlterField(
            model_name="design",
            name="outputs_per_screen",
            field=models.PositiveSmallIntegerField(
                default=5,
                help_text="0 where the protocol shows none.",
                validators=[django.core.validators.MaxValueValidator(9)],
            ),
        ),
        migrations.AddConstraint(
            model_name="design",
            constraint=models.CheckConstraint(
                condition=models.Q(("outputs_per_screen__lte", 9)), name="design_screen_has_room_for_outputs"
            ),
        ),
    ]
