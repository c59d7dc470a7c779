// purpose: memories that retention may take, oldest first
// params: agent_id STRING, before ZONED DATETIME, lighter_than FLOAT, limit INTEGER
// returns: id STRING
// mode: read
// why: the same conditions are checked again when they are taken (memories_archive)
MATCH (k:Memory)
WHERE k.agent_id = $agent_id AND k.createdAt < $before
  AND NOT k.pinned AND NOT k.explicit AND k.type <> 'constraint'
  AND (k.status = 'superseded' OR k.importance < $lighter_than)
  AND NOT EXISTS { (k)<-[:DERIVED_FROM]-(:Attribute {status: 'active'}) }
  AND NOT EXISTS { MATCH (k)-[:MENTIONS]->(:Entity|ColdEntity)-[d:DEPENDS_ON]-() WHERE d.activeKey IS NOT NULL AND k.id IN d.memoryIds }
RETURN k.id AS id
ORDER BY k.agent_id, k.createdAt
LIMIT $limit
