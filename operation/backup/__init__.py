"""Backups of a site, in one file.

The file is a tar archive: `manifest.json`, the database (SQLite's own copy, or `pg_dump`'s custom format),
`secret-key` and `uploads/`.
"""
