// purpose: transactions of graphmem that are running and may write
// params: none
// returns: number INTEGER
// mode: read
// scope: system
SHOW TRANSACTIONS YIELD metaData, currentQuery
WHERE metaData.graphmem = 'write'
RETURN count(*) AS number
