"""Results of analyses in the API."""
