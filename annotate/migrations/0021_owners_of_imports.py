import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotate", "0020_reports_and_skips"),
    ]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="imported_by",
            field=models.ForeignKey(
                blank=True,
                help_text="Whose the imported judgments are.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="imports",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
