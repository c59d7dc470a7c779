"""SQLite databases of other memories: opened read-only, and their sessions rebuilt as ours."""
