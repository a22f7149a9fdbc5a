"""Writes: each verb checks everything first, then stores in short transactions, or leaves nothing behind."""
