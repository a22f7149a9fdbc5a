"""Long work beside the server. A job is a row of the database; messages only wake the workers."""
