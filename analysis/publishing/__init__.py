"""Results to publish: a zip from which anyone can compute every number again."""
