from django.db import migrations

OLD_KINDS = ("rank-campaign", "quality-of-campaign")


def forget_jobs_that_computed(apps, schema_editor):
    """Their results can be computed again, and no worker knows their kinds any more."""
    apps.get_model("jobs", "Job").objects.filter(kind__in=OLD_KINDS).delete()


class Migration(migrations.Migration):
    dependencies = [("analysis", "0001_runs"), ("jobs", "0001_jobs")]

    operations = [migrations.RunPython(forget_jobs_that_computed, migrations.RunPython.noop)]
