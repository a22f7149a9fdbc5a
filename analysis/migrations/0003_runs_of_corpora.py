import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Value
from django.db.models.functions import Cast, Concat


def join_state(apps, schema_editor):
    """The state of judgments is their number and the key of the newest: kept results stay up to date."""
    text = models.CharField()
    state = Concat(Cast("size", text), Value(":"), Cast("newest", text))
    apps.get_model("analysis", "Run").objects.update(inputs=state)


class Migration(migrations.Migration):
    dependencies = [
        ("analysis", "0002_forget_old_jobs"),
        ("annotate", "0026_answers_beyond_ratings"),
    ]

    operations = [
        migrations.RemoveConstraint("runpart", "part_is_computed_once"),
        migrations.RenameField("runpart", "snapshot", "digest"),
        migrations.AddConstraint(
            "runpart",
            models.UniqueConstraint(fields=("run", "digest", "number"), name="part_is_computed_once"),
        ),
        migrations.RenameField("run", "snapshot", "digest"),
        migrations.AlterField(
            "run",
            "digest",
            models.CharField(
                blank=True, help_text="SHA-256 of the inputs, once they were read.", max_length=64
            ),
        ),
        migrations.RenameField("run", "answers", "size"),
        migrations.AlterField(
            "run",
            "size",
            models.PositiveIntegerField(help_text="Number of the answers, or sentences, that were there."),
        ),
        migrations.AddField(
            "run",
            "inputs",
            models.CharField(
                default="", help_text="State of what it reads, which changes as that does.", max_length=200
            ),
            preserve_default=False,
        ),
        migrations.RunPython(join_state, migrations.RunPython.noop),
        migrations.RemoveField("run", "newest"),
        migrations.AlterField(
            "run",
            "campaign",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="annotate.campaign",
            ),
        ),
        migrations.AddField(
            "run",
            "corpus",
            models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="annotate.corpus"
            ),
        ),
        migrations.AddConstraint(
            "run",
            models.CheckConstraint(
                condition=models.Q(("campaign__isnull", True), ("corpus__isnull", True), _connector="XOR"),
                name="run_has_one_subject",
            ),
        ),
        migrations.AddIndex(
            "run", models.Index(fields=["corpus", "analysis", "-created_at"], name="run_of_corpus")
        ),
    ]
