"""Measurements of the running service, through its HTTP API."""
