// purpose: make an entity under a name that is locked and leads nowhere
// params: agent_id STRING, agent_key STRING, id STRING, canonical STRING, name STRING, now ZONED DATETIME
// returns: id STRING
// mode: write
MATCH (n:Name {agent_id: $agent_id, canonical: $canonical})
CREATE (e:Entity {agent_id: $agent_id, id: $id, name: $name, canonicalName: $canonical, type: 'unknown', mentions: 0, pinned: false, kept: true,
  searchText: $name, agentKey: $agent_key, createdAt: $now})
CREATE (n)-[:NAMES]->(e)
RETURN e.id AS id
