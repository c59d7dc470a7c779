"""One sentence at a time: who is named in it, what its clauses say, what kind of statement it is."""
