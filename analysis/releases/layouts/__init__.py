"""Releases also in the layouts that the field's programs for evaluating metrics read."""
