"""How the cases that extraction asks its scorers about are labelled."""
