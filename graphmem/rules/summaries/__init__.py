"""Conversations in fewer words: compaction, the session DAG, recaps, and the context of a session."""
