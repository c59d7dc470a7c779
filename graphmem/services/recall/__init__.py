"""Finding: recall, grep, expand, answers, lattice queries, feedback."""
