"""Sessions and messages, word for word."""
