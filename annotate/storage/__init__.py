"""Writing rows: in pieces, under claims, with an audit entry."""
