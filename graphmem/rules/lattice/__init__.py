"""Lattice queries: sets of turns, by how they score on the seven overlays."""
