from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0019_suggestions")]

    operations = [
        migrations.AddField(
            model_name="annotator",
            name="interface_language",
            field=models.CharField(
                blank=True,
                default="",
                help_text="Language that they chose for their pages, as a BCP 47 tag; empty for the campaign's.",
                max_length=10,
            ),
            preserve_default=False,
        ),
    ]
