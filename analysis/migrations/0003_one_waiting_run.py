"""Of equal requests, at most one waits for a result; those that failed or were cancelled wait."""

from django.db import migrations
from django.db.models import Case, F, When


def keep_one(apps, schema_editor):
    runs = apps.get_model("analysis", "Run").objects
    runs.filter(state="done", finished_at=None).update(finished_at=F("created_at"))
    seen = set()
    unfinished_first = Case(When(state__in=["queued", "running"], then=0), default=1)
    waiting = runs.exclude(state="done").order_by(unfinished_first, "-created_at", "-pk")
    for key, request in waiting.values_list("pk", "request"):
        if request in seen:
            runs.filter(pk=key).delete()
        seen.add(request)
    waiting.update(finished_at=None, result=None)


class Migration(migrations.Migration):
    dependencies = [("analysis", "0002_shared_parts")]
    operations = [migrations.RunPython(keep_one, migrations.RunPython.noop, elidable=True)]
