"""The page for the author of a metric."""
