"""The snapshot, and the columns of an exported judgment."""
