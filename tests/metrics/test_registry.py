"""Metrics by name."""

from metrics import in_usual_order


def test_metrics_that_papers_report_come_first_and_others_as_they_are_given() -> None:
    names = ["sari", "gleu", "bleu", "m2:beta=1", "errant", "m2", "a system's own (uploaded)"]
    assert in_usual_order(names) == [
        "m2:beta=1",
        "m2",
        "errant",
        "gleu",
        "sari",
        "bleu",
        "a system's own (uploaded)",
    ]
