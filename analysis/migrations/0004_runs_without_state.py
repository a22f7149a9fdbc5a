"""The state of a run is that of its job."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('analysis', '0003_one_waiting_run'),
        ('annotate', '0001_squashed'),
        ('jobs', '0001_squashed'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RenameField(
            model_name='run',
            old_name='finished_at',
            new_name='computed_at',
        ),
        migrations.RemoveConstraint(
            model_name='run',
            name='run_state_is_known',
        ),
        migrations.RemoveConstraint(
            model_name='run',
            name='run_is_waited_for_once',
        ),
        migrations.RemoveConstraint(
            model_name='run',
            name='run_is_kept_once',
        ),
        migrations.RemoveField(
            model_name='run',
            name='error',
        ),
        migrations.RemoveField(
            model_name='run',
            name='state',
        ),
        migrations.AlterField(
            model_name='run',
            name='computed_at',
            field=models.DateTimeField(help_text='Null until there is a result.', null=True),
        ),
        migrations.AlterField(
            model_name='run',
            name='created_at',
            field=models.DateTimeField(default=django.utils.timezone.now, help_text='When it was last asked for.'),
        ),
        migrations.AlterField(
            model_name='run',
            name='job',
            field=models.ForeignKey(help_text='The newest; null if computed by a page.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='jobs.job'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(('computed_at__isnull', False), ('result__isnull', False), _connector='XOR', _negated=True), name='run_with_result_is_computed'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.UniqueConstraint(condition=models.Q(('computed_at__isnull', True)), fields=('request',), name='run_is_waited_for_once'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.UniqueConstraint(condition=models.Q(('computed_at__isnull', False)), fields=('request',), name='run_is_kept_once'),
        ),
    ]
