"""Data releases: judgments of a campaign with texts and descriptions, as a folder and a zip to publish."""
