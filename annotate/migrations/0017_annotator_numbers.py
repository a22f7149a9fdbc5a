from collections import Counter

from django.db import migrations, models
from django.db.models import Min

IMPORTED = "imported"


def number(apps, schema_editor):
    """Number the annotators of each campaign in the order in which they joined.

    An import stored its annotators by name, so these are numbered by their first judgment.
    """
    Annotator, Campaign, Judgment = (
        apps.get_model("annotate", name) for name in ("Annotator", "Campaign", "Judgment")
    )
    imported = list(Campaign.objects.filter(state=IMPORTED).values_list("pk", flat=True))
    judgments = Judgment.objects.filter(campaign__in=imported).order_by()
    first_judgments = dict(judgments.values_list("annotator").annotate(Min("pk")))
    annotators = sorted(
        Annotator.objects.order_by().only("pk", "campaign"),
        key=lambda annotator: (first_judgments.get(annotator.pk, 0), annotator.pk),
    )
    last = Counter()
    for annotator in annotators:
        last[annotator.campaign_id] += 1
        annotator.number = last[annotator.campaign_id]
    Annotator.objects.bulk_update(annotators, ["number"], batch_size=200)
    for campaign, last_number in last.items():
        Campaign.objects.filter(pk=campaign).update(last_annotator_number=last_number)


class Migration(migrations.Migration):
    """Annotators have a number in their campaign, which pages show."""

    dependencies = [
        ("annotate", "0016_sentences_of_documents"),
    ]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="last_annotator_number",
            field=models.PositiveIntegerField(
                default=0, help_text="The last number given to an annotator; none is given twice."
            ),
        ),
        migrations.AddField(
            model_name="annotator",
            name="number",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.RunPython(number, migrations.RunPython.noop, elidable=True),
        migrations.AlterField(
            model_name="annotator",
            name="number",
            field=models.PositiveIntegerField(
                blank=True,
                editable=False,
                help_text="From 1, in the order in which they joined the campaign. It never changes.",
            ),
        ),
        migrations.AddConstraint(
            model_name="annotator",
            constraint=models.UniqueConstraint(
                fields=("campaign", "number"), name="annotator_number_is_unique"
            ),
        ),
    ]
