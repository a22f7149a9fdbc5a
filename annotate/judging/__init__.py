"""The annotator's screen: ways in, hand-out, answers, practice."""
