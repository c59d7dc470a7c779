// purpose: an entity steps back behind the one it is merged into, which takes over its count, pin, and words to be found by
// params: agent_id STRING, from_id STRING, into_id STRING, merge_id STRING, now ZONED DATETIME
// returns: before MAP, after MAP
// mode: write
MATCH (f:Entity {agent_id: $agent_id, id: $from_id})
MATCH (s:Entity {agent_id: $agent_id, id: $into_id})
WITH f, s, s {.type, .pinned, .searchText} AS before
SET s.mentions = s.mentions + f.mentions, s.pinned = s.pinned OR f.pinned, s.searchText = s.searchText + ' ' + f.searchText,
  s.type = CASE WHEN s.type = 'unknown' THEN f.type ELSE s.type END
CREATE (f)-[:MERGED_INTO {mergeId: $merge_id, at: $now}]->(s)
SET f:MergedEntity
REMOVE f:Entity
RETURN before, s {.type, .pinned, .searchText} AS after
