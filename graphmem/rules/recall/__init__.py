"""Questions and their answers: search terms, ranking, passages, answers, grep, expansion."""
