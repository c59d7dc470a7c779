"""Lattice queries: sets of turns, by their scores on the seven overlays."""
