"""Questions and what answers them: search terms, ranking, passages, answers, grep, expansion."""
