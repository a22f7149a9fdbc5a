from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotate", "0017_annotator_numbers"),
    ]

    operations = [
        migrations.AddField(
            model_name="system",
            name="label",
            field=models.CharField(
                blank=True, help_text="What people read; where empty, the name.", max_length=200
            ),
        ),
    ]
