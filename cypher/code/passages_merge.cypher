// purpose: keep the passages of a repository, each once, with where it stands, what it is about and what it names
// params: agent_id STRING, agent_key STRING, repository STRING, within STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: nothing
// mode: write
// why: a passage that only moved keeps its place in the order of the repository's passages, so that paging goes on
UNWIND $rows AS row
MERGE (k:Memory {agent_id: $agent_id, contentKey: row.key})
ON CREATE SET k:Passage, k:Unembedded, k.id = row.id, k.content = row.content, k.searchText = row.content, k.agentKey = $agent_key,
  k.type = 'passage', k.status = 'active', k.importance = row.importance, k.pinned = false, k.explicit = true, k.kept = true,
  k.source = 'repository', k.project = $repository, k.validFrom = $now, k.createdAt = $now, k.within = $within, k.ordinal = row.ordinal
SET k.file = row.file, k.line = row.line, k.endLine = row.end, k.turnImportance = row.turnImportance,
  k.o1 = 0.0, k.o2 = row.o2, k.o3 = 0.0, k.o4 = row.o4, k.o5 = row.o5, k.o6 = row.o6, k.o7 = 0.0
WITH k, row
CALL (k, row) {
  MATCH (k)-[m:MENTIONS]->(e:Entity|ColdEntity)
  WHERE NOT e.id IN row.mentions
  DELETE m
}
CALL (k, row) {
  UNWIND row.mentions AS id
  MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: id})
  MERGE (k)-[:MENTIONS]->(e)
}
