"""Floor 4: settings, URLs and start-up."""
