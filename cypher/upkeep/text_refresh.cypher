// purpose: wait until everything committed is found by words
// params: none
// returns: nothing
// mode: read
// scope: system
CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()
