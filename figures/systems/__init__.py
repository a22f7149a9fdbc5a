"""Systems by people's judgments."""
