"""Errors marked in outputs with scores: their form in details of ratings, and files of other programs."""
