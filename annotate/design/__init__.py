"""The design of a campaign: protocols, sampling, items, batches, controls; no database."""
