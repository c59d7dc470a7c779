"""What is stored and how it changes: drafts, history, merging, imports, exports, feedback."""
