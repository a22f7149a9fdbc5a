"""Uploads: form, plan, confirmation."""
