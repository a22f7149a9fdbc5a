"""Campaigns: drafts, preview, launch, progress, links, deletion."""
