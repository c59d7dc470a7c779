// purpose: facts that a roll-back brought back are away again as they were, with the edges that went with them
// params: agent_id STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: id STRING
// mode: write
UNWIND $rows AS row
MATCH (t:Attribute {agent_id: $agent_id, id: row.id})
SET t.coldKey = t.activeKey, t.coldStatus = row.before, t.coldAt = row.at, t.coldReason = row.reason, t.coldNote = row.note,
  t.coldDependencyIds = row.dependencyIds, t.retiredAt = $now, t.kept = row.kept, t.status = row.status, t.activeKey = null
WITH t, row
CALL (t, row) {
  UNWIND row.edges AS edge
  MATCH ()-[d:DEPENDS_ON {agent_id: $agent_id, id: edge.id}]->()
  WHERE d.activeKey IS NOT NULL
  SET d.coldKey = d.activeKey, d.status = edge.status, d.activeKey = null, d.retiredAt = $now, d.coldSourceId = t.id,
    d.coldReason = edge.reason
}
RETURN t.id AS id
