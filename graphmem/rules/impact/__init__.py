"""Blast radius: what a change affects, with which confidence, and by which path."""
