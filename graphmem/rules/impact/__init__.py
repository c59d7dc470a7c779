"""Blast radius: what a change reaches, how surely, and by which path."""
