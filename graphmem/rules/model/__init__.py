"""Questions to a language model, and the checks of its answers."""
