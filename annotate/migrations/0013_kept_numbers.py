from django.db import migrations, models
import django.db.models.deletion


class Migration(migrations.Migration):
    """Numbers that pages show are kept, not counted for each request."""

    dependencies = [
        ("annotate", "0012_practice_that_counts"),
    ]

    operations = [
        migrations.CreateModel(
            name="AnsweredHour",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hour", models.DateTimeField(help_text="Its beginning, in UTC.")),
                ("filled_before", models.PositiveIntegerField()),
                (
                    "annotator",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="answered_hours",
                        to="annotate.annotator",
                    ),
                ),
            ],
            options={
                "ordering": ["annotator", "hour"],
                "constraints": [
                    models.UniqueConstraint(fields=("annotator", "hour"), name="answered_hour_is_unique")
                ],
            },
        ),
        migrations.AddField(
            model_name="annotator",
            name="complete",
            field=models.PositiveIntegerField(default=0, help_text="Number of judgments in this state."),
        ),
        migrations.AddField(
            model_name="annotator",
            name="skipped",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="annotator",
            name="auto",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="annotator",
            name="surplus",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="annotator",
            name="answers_sent",
            field=models.PositiveIntegerField(default=0, help_text="Number of revisions of all of them."),
        ),
        migrations.AddField(
            model_name="annotator",
            name="active_ms",
            field=models.PositiveBigIntegerField(default=0, help_text="Sum over all revisions."),
        ),
        migrations.AddField(
            model_name="annotator",
            name="answered_at",
            field=models.DateTimeField(blank=True, help_text="When the newest answer arrived.", null=True),
        ),
        migrations.AddField(
            model_name="annotator",
            name="shown_at",
            field=models.DateTimeField(
                blank=True, help_text="When they last came to a new screen without having just answered another.", null=True
            ),
        ),
        migrations.AddField(
            model_name="campaign",
            name="slot_count",
            field=models.PositiveIntegerField(
                default=0, help_text="Number of slots that the launch laid out, planned repeats among them."
            ),
        ),
        migrations.AddField(
            model_name="corpus",
            name="sentence_count",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="corpus",
            name="distinct_outputs",
            field=models.JSONField(
                blank=True,
                default=list,
                help_text="Number of sentences with no, one, two ... distinct outputs."
            ),
        ),
        migrations.AddField(
            model_name="corpus",
            name="error_counts",
            field=models.JSONField(blank=True, default=dict, help_text="Number of inserted errors by kind."),
        ),
        migrations.AddField(
            model_name="judgment",
            name="campaign",
            field=models.ForeignKey(
                db_index=False,
                help_text="The item's, so that a page of a campaign's judgments is a stretch of an index.",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="judgments",
                to="annotate.campaign",
            ),
        ),
        migrations.AddField(
            model_name="judgment",
            name="is_reported",
            field=models.BooleanField(
                default=False, help_text="The annotator answered it, and added a note about the item."
            ),
        ),
    ]
