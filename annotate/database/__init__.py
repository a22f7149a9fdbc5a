"""Reading rows by column, writing them in pieces, and what is stored with them: counts, audit entries."""
