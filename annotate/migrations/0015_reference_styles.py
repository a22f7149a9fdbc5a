from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0014_prepared_outputs")]

    operations = [
        migrations.AddField(
            model_name="corpus",
            name="reference_styles",
            field=models.JSONField(
                blank=True,
                default=dict,
                help_text="Style of the references of an annotator, such as minimal, by the annotator's name.",
            ),
        ),
    ]
