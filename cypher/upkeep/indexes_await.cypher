// purpose: wait until all indexes are online
// params: seconds INTEGER
// returns: nothing
// mode: read
// scope: system
CALL db.awaitIndexes($seconds)
