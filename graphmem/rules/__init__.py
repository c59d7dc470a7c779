"""Judgement: values in, values out. No clock, no ids, no input or output; those arrive as arguments."""
