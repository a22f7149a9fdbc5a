from django.db import migrations, models


class Migration(migrations.Migration):
    """A shared link made from now on can be shown again: its token follows from the secret key and this."""

    dependencies = [
        ("annotate", "0023_context_and_guidelines_first"),
    ]

    operations = [
        migrations.AddField(
            model_name="link",
            name="generation",
            field=models.CharField(
                blank=True,
                help_text="Of a shared link: random, and with the secret key it gives the token. Empty for personal "
                "links, and for shared ones of earlier releases.",
                max_length=32,
            ),
        ),
    ]
