"""What a campaign asks: protocols, sampling, items, batches, controls; no database."""
