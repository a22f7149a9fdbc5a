"""Floor 1: automatic metrics, and how good they are. Knows no framework, database or settings."""
