"""Data releases that admins make on pages and by the API: checked, confirmed, written and kept as zips."""
