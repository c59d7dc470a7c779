// purpose: put an arc or an epoch into the DAG, or renew it where it stands
// params: agent_id STRING, dag_key STRING, id STRING, kind STRING, depth INTEGER, number INTEGER, project STRING, content STRING, tokens INTEGER, method STRING, by STRING, sha256 STRING, agent_key STRING, grams STRING, expected_marks INTEGER, now ZONED DATETIME
// returns: id STRING, created BOOLEAN
// mode: write
// why: what was marked stale since it was read stays so, and the next job builds it again
MERGE (y:Summary {agent_id: $agent_id, dagKey: $dag_key})
ON CREATE SET y.id = $id, y.kind = $kind, y.depth = $depth, y.number = $number, y.project = $project, y.createdAt = $now,
  y.status = 'active', y.marks = 0
SET y.stale = y.marks <> $expected_marks
WITH y, y.archivedAt IS NOT NULL OR y.content IS NULL OR y.content <> $content AS renewed
SET y.content = $content, y.tokens = $tokens, y.searchText = $content, y.method = $method, y.by = $by, y.sha256 = $sha256, y.agentKey = $agent_key, y.grams = $grams,
  y.updatedAt = $now, y.archivedAt = null
FOREACH (_ IN CASE WHEN renewed THEN [1] ELSE [] END | SET y:Unembedded)
WITH y
CALL (y) {
  MATCH (y)-[r:HAS_CHILD|DERIVED_FROM|STATES|ABOUT|FOLLOWS]->()
  DELETE r
}
RETURN y.id AS id, y.id = $id AS created
