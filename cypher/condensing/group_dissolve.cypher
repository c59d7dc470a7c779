// purpose: take an arc or an epoch for which there are too few sessions out of the DAG and out of every search, with its words
// params: agent_id STRING, id STRING, now ZONED DATETIME
// returns: nothing
// mode: write
// why: the node stays: when the sessions are back, the same stretch is the same node
MATCH (y:Summary {agent_id: $agent_id, id: $id})
SET y.archivedAt = $now, y.content = '', y.sha256 = null, y.tokens = 0, y.searchText = '', y.grams = '', y.agentKey = null, y.stale = false, y.updatedAt = $now
SET y.embedding = null
REMOVE y:Unembedded
WITH y
CALL (y) {
  MATCH (y)-[r:HAS_CHILD|DERIVED_FROM|STATES|ABOUT|FOLLOWS]-()
  DELETE r
}
