// purpose: make or find the entities of these names, count their mentions, and lock them
// params: agent_id STRING, agent_key STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: merged LIST<LIST<ANY>>, facts LIST<LIST<STRING>>
// mode: write
// why: rows come sorted by canonical name, so that concurrent writers lock in one order; Name's unique index makes the second one wait and then find the first one's entity
// why: the name is locked before its entity: writers who met at the entity itself, which gains relationships, ran into deadlocks (32 writers: 4.9 s against 1.2 s)
// why: the active facts of those that get new ones come along, read behind the lock: mostly they are the ones that are known, and need not be asked for
// why: a name that a person took away from an entity is given to none by what is said later
// why: one row of lists: a row for each entity takes the driver longer than its statement
UNWIND $rows AS row
MERGE (n:Name {agent_id: $agent_id, canonical: row.canonical})
ON CREATE SET n.surface = row.name
SET n.lock = true
WITH n, row
CALL (n, row) {
  WITH n, row WHERE NOT EXISTS { (n)-[:NAMES]->() }
  CREATE (e:Entity {agent_id: $agent_id, id: row.id, name: row.name, canonicalName: row.canonical, type: row.type, mentions: 0,
    pinned: false, searchText: row.name, agentKey: $agent_key, createdAt: $now})
  CREATE (n)-[:NAMES]->(e)
}
WITH n, row
MATCH (n)-[:NAMES]->(e:Entity|ColdEntity)
SET e.mentions = e.mentions + row.mentions,
    e.type = CASE WHEN e.type = 'unknown' THEN row.type ELSE e.type END
WITH row, e
CALL (row, e) {
  UNWIND row.aliases AS alias
  MERGE (a:Name {agent_id: $agent_id, canonical: alias.canonical})
  ON CREATE SET a.surface = alias.name
  WITH a, e WHERE NOT EXISTS { (a)-[:NAMES]->() } AND a.takenAway IS NULL
  CREATE (a)-[:NAMES]->(e)
  SET e.searchText = e.searchText + ' ' + a.surface
  RETURN collect(a.canonical) AS gained
}
WITH row, e, gained, COLLECT {
  WITH row, e WHERE row.withFacts
  MATCH (t:Attribute {agent_id: $agent_id, entityId: e.id, status: 'active'})
  RETURN t.id
} AS facts
RETURN collect([row.canonical, e.id, e.id = row.id, e:ColdEntity, gained]) AS merged, collect(facts) AS facts
