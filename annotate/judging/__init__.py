"""The annotator's screen: entering, hand-out, answers, practice."""
