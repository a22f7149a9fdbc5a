"""What the people who run a site need: health, metrics, backup, erasure, checks."""
