"""Pages of edits that people judged."""
