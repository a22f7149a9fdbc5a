from django.db import migrations, models


class Migration(migrations.Migration):
    """The documents of a corpus, and the sentences of one, are stretches of an index."""

    dependencies = [
        ("annotate", "0015_judgment_pages"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="sentence",
            index=models.Index(fields=["corpus", "document", "position"], name="sentence_of_document"),
        ),
    ]
