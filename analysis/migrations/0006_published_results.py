"""Results of any analysis can be published, with authors; figures move to rows of their own."""

import django.db.models.deletion
from django.db import migrations, models


def convert(apps, schema_editor):
    """Published rankings keep what their pages show."""
    publications = apps.get_model("analysis", "Publication")
    figures = apps.get_model("analysis", "PublicationFigure")
    captions = {
        "ranking": "Scores of systems with intervals",
        "head-to-head": "How often each system beat each of the others",
        "agreement": "Agreement of each two annotators",
    }
    for publication in publications.objects.exclude(content=None).iterator(chunk_size=1):
        before = publication.content
        for name, themes in before["figures"].items():
            for theme, svg in themes.items():
                figures.objects.create(publication=publication, name=name, theme=theme, svg=svg)
        publication.content = {
            "headline": before["headline"],
            "figures": [{"name": name, "caption": captions[name]} for name in before["figures"]],
            "tables": [
                {
                    "title": "",
                    "columns": [
                        {"name": "Rank", "is_number": True},
                        {"name": "System", "is_number": False},
                        {"name": before["score_name"], "is_number": True},
                        {"name": f"{before['confidence']} % interval", "is_number": True},
                        {"name": "Cluster", "is_number": True},
                    ],
                    "heading": 1,
                    "rows": [
                        [row["ranks"] or "–", row["system"], row["score"], row["interval"] or "–", str(row["cluster"] or "–")]
                        for row in before["systems"]
                    ],
                    "further": 0,
                },
                {
                    "title": "Agreement over pairs of outputs",
                    "columns": [
                        {"name": "", "is_number": False},
                        {"name": "κ", "is_number": True},
                        {"name": "comparisons", "is_number": True},
                    ],
                    "heading": 0,
                    "rows": [[name, value, f"{number:,}"] for name, value, number in before["kappas"]],
                    "further": 0,
                },
            ],
            "methods": before["methods"],
            "facts": before["facts"],
            "signatures": [["the ranking", before["signature"]]],
            "metrics": [],
            "bytes": before["bytes"],
        }
        publication.save(update_fields=["content"])


class Migration(migrations.Migration):
    dependencies = [
        ("analysis", "0005_publications"),
    ]

    operations = [
        migrations.AddField(
            model_name="publication",
            name="analysis",
            field=models.CharField(default="ranking", max_length=50),
        ),
        migrations.AddField(
            model_name="publication",
            name="authors",
            field=models.CharField(blank=True, help_text="As in a citation.", max_length=500),
        ),
        migrations.AlterField(
            model_name="publication",
            name="parameters",
            field=models.JSONField(help_text="Of the analysis, as texts by name."),
        ),
        migrations.CreateModel(
            name="PublicationFigure",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("name", models.CharField(max_length=100)),
                ("theme", models.CharField(max_length=10)),
                ("svg", models.TextField()),
                (
                    "publication",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="figures",
                        to="analysis.publication",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("publication", "name", "theme"), name="figure_is_stored_once"
                    )
                ],
            },
        ),
        migrations.RunPython(convert, migrations.RunPython.noop),
    ]
