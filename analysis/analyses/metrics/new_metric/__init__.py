"""A new metric beside known ones: how it agrees with people, tested against the best of them."""
