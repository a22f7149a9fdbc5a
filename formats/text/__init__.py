"""Text files as lines, and checks of what they hold."""
