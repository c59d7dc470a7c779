// purpose: make or find the entities of a repository, say where they stand, and lock them
// params: agent_id STRING, agent_key STRING, repository STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: key STRING, id STRING, created BOOLEAN, cold BOOLEAN
// mode: write
// why: rows come sorted by key, as knowledge/entities_merge has them; what stands in no file may be known from conversations, and keeps what it is
UNWIND $rows AS row
MERGE (n:Name {agent_id: $agent_id, canonical: row.key})
ON CREATE SET n.surface = row.name
SET n.lock = true
WITH n, row
CALL (n, row) {
  WITH n, row WHERE NOT EXISTS { (n)-[:NAMES]->() }
  CREATE (e:Entity {agent_id: $agent_id, id: row.id, name: row.name, canonicalName: row.key, type: row.type, mentions: 0,
    pinned: false, searchText: row.search, agentKey: $agent_key, createdAt: $now})
  CREATE (n)-[:NAMES]->(e)
}
WITH n, row
MATCH (n)-[:NAMES]->(e:Entity|ColdEntity)
SET e.type = CASE WHEN row.file IS NOT NULL OR e.type = 'unknown' THEN row.type ELSE e.type END
FOREACH (_ IN CASE WHEN row.file IS NULL THEN [] ELSE [1] END |
  SET e.repository = $repository, e.file = row.file, e.line = row.line, e.endLine = row.end)
RETURN row.key AS key, e.id AS id, e.id = row.id AS created, e:ColdEntity AS cold
