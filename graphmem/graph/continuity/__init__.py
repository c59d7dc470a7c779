"""Turns, summaries, recaps and contexts."""
