// purpose: take memories out of the graph's active part, with the facts and edges that nothing else supports
// params: agent_id STRING, rows LIST<MAP>, reason STRING, note STRING, by_person BOOLEAN, before ZONED DATETIME, lighter_than FLOAT, now ZONED DATETIME
// returns: receipt MAP, statusBefore STRING
// mode: write
// why: indexes are by label, so the swap takes the text out of every search, while all relationships stay
// why: what no person asked for is guarded here again: pinned, explicit and rules stay, and so does whatever an active fact or edge rests on
// why: memories that go together are no support for each other, and may name the same fact
WITH [row IN $rows | row.id] AS going
UNWIND $rows AS row
MATCH (k:Memory {agent_id: $agent_id, id: row.id})
WHERE $by_person OR (
  NOT k.pinned AND NOT k.explicit AND k.type <> 'constraint' AND k.createdAt < $before
  AND (k.status = 'superseded' OR k.importance < $lighter_than)
  AND NOT EXISTS { (k)<-[:DERIVED_FROM]-(:Attribute {status: 'active'}) }
  AND NOT EXISTS { MATCH (k)-[:MENTIONS]->(:Entity|ColdEntity)-[d:DEPENDS_ON]-() WHERE d.activeKey IS NOT NULL AND k.id IN d.memoryIds })
WITH k, row, going, k.status AS statusBefore, COLLECT {
    MATCH (k)<-[:DERIVED_FROM]-(t:Attribute {status: 'active'})
    WHERE NOT EXISTS { MATCH (t)-[:DERIVED_FROM]->(o:Memory) WHERE NOT o.id IN going }
    RETURN t ORDER BY t.id } AS facts, COLLECT {
    MATCH (k)-[:MENTIONS]->(:Entity|ColdEntity)-[d:DEPENDS_ON]-()
    WHERE d.activeKey IS NOT NULL AND NOT d.explicit AND k.id IN d.memoryIds
      AND NOT EXISTS { UNWIND d.memoryIds AS other
        MATCH (:Memory {agent_id: $agent_id, id: other}) WHERE NOT other IN going RETURN 1 }
    WITH DISTINCT d ORDER BY d.id
    RETURN d } AS edges, head(COLLECT {
    MATCH (k)<-[:DERIVED_FROM]-(:Attribute {status: 'superseded'})-[l:SUPERSEDED_BY]->(:Attribute)-[:DERIVED_FROM]->(w:Memory)
    WHERE l.undoneAt IS NULL
    RETURN w.id ORDER BY l.at DESC, w.id LIMIT 1 }) AS successor
FOREACH (t IN facts |
  SET t.status = 'cold', t.coldKey = coalesce(t.activeKey, t.coldKey), t.activeKey = null, t.retiredAt = $now, t.coldSourceId = k.id)
FOREACH (d IN edges |
  SET d.status = 'cold', d.coldKey = coalesce(d.activeKey, d.coldKey), d.activeKey = null, d.retiredAt = $now, d.coldSourceId = k.id)
SET k.status = 'cold', k.coldStatus = statusBefore, k.coldAt = $now, k.coldReason = $reason, k.coldNote = $note, k.coldBytes = row.bytes,
  k.coldSourceId = coalesce(k.supersededBy, successor), k.coldAttributeIds = [t IN facts | t.id], k.coldDependencyIds = [d IN edges | d.id]
SET k:ColdMemory
REMOVE k:Memory, k:Unembedded
RETURN k {.id, .status, .coldAt, .coldReason, .coldNote, .coldSourceId, .coldAttributeIds, .coldDependencyIds} AS receipt, statusBefore
