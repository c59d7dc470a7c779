// purpose: the number of the last committed transaction
// params: none
// returns: number INTEGER
// mode: read
// scope: system
SHOW DATABASES YIELD name, lastCommittedTxn, home
WHERE home
RETURN lastCommittedTxn AS number
