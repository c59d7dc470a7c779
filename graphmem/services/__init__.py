"""The stories: order of steps, no judgement (that is rules/) and no statement (that is graph/)."""
