"""Background jobs. A job is a database row; messages only wake the workers."""
