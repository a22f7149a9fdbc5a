
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0003_revocations_practice_dropped'),
    ]

    operations = [
        migrations.AddField(
            model_name='rating',
            name='touched',
            field=models.BooleanField(help_text='Whether it was entered on this screen; null where the protocol does not tell.', null=True),
        ),
    ]
