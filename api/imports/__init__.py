"""SQLite databases of other memory systems: opened read-only, their sessions converted to ours."""
