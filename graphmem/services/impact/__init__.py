"""Blast radius, provenance, and what was read of repositories."""
