"""Machines that judge a campaign: making them, the items that they are handed, and their answers."""
