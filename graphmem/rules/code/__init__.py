"""Source code and what stands beside it: readers of single files, and the graph that follows from all of them."""
