"""Entities, facts, dependencies, and how they change."""
