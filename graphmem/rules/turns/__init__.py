"""Each turn of a conversation: overlays, novelty, importance; and whether a session is worth reading."""
