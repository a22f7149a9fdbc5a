from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0016_families")]

    operations = [
        migrations.AddField(
            model_name="design",
            name="interface_language",
            field=models.CharField(
                default="en",
                help_text="Language of the pages that annotators see: a BCP 47 tag. Their texts are in the "
                "corpus'.",
                max_length=10,
            ),
        ),
    ]
