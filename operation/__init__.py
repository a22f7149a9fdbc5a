"""For the people who run a site: health, metrics, backup, erasure, checks."""
