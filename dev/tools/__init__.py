"""Programs that make what is committed. Nothing here runs on a site."""
