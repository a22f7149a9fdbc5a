from django.db import migrations, models
import django.db.models.deletion


class Migration(migrations.Migration):
    """The judgments of an item are counted by state from an index alone, which takes the place of the item's."""

    dependencies = [
        ("annotate", "0021_owners_of_imports"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="judgment",
            index=models.Index(fields=["item", "state"], name="judgment_of_item"),
        ),
        migrations.AlterField(
            model_name="judgment",
            name="item",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="judgments",
                to="annotate.item",
            ),
        ),
    ]
