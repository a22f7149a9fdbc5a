from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0020_annotators_language")]

    operations = [
        migrations.AddField(
            model_name="systemscore",
            name="resamples",
            field=models.BinaryField(
                help_text="Scores in the bootstrap resamples, which are the same for all systems of the set: "
                "float64, compressed by zlib. Empty if uploaded, or stored before these were kept.",
                null=True,
            ),
        ),
    ]
