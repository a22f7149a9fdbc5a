from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0013_opinions")]

    operations = [
        migrations.AddField(
            model_name="itemoutput",
            name="prepared",
            field=models.JSONField(
                blank=True,
                help_text="What the protocol fixed about the output at the launch, such as its edits.",
                null=True,
            ),
        ),
    ]
