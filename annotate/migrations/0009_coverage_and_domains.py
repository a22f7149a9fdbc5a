
import annotate.models.designs
import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0008_tokens_on_record'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='design',
            name='design_shares_are_percentages',
        ),
        migrations.AddField(
            model_name='annotator',
            name='domain',
            field=models.CharField(blank=True, help_text='Judged last, where the campaign separates them.', max_length=200),
        ),
        migrations.AddField(
            model_name='annotator',
            name='domain_day',
            field=models.DateField(blank=True, help_text="When; in the campaign's time zone.", null=True),
        ),
        migrations.AddField(
            model_name='batch',
            name='domain',
            field=models.CharField(blank=True, help_text='Of its sentences, where the campaign separates them.', max_length=200),
        ),
        migrations.AddField(
            model_name='design',
            name='checked_percent',
            field=models.PositiveSmallIntegerField(default=100, help_text="Where all outputs are covered: share of screens that hold both source and control.", validators=[django.core.validators.MaxValueValidator(100)]),
        ),
        migrations.AddField(
            model_name='design',
            name='covers_outputs',
            field=models.BooleanField(default=False, help_text='Every output of each sentence is judged, on as many screens as that takes; `items` counts sentences then.'),
        ),
        migrations.AddField(
            model_name='design',
            name='separates_domains',
            field=models.BooleanField(default=False, help_text='Nobody judges sentences of two domains on one day.'),
        ),
        migrations.AddField(
            model_name='design',
            name='time_zone',
            field=models.CharField(default=annotate.models.designs.server_time_zone, help_text='Of these days.', max_length=50, validators=[annotate.models.designs.validate_time_zone]),
        ),
        migrations.AddConstraint(
            model_name='design',
            constraint=models.CheckConstraint(condition=models.Q(('checked_percent__lte', 100), ('repeat_percent__lte', 100), ('shared_percent__lte', 100)), name='design_shares_are_percentages'),
        ),
    ]
