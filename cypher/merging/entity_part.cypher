// purpose: a merged entity stands by itself again, and the survivor is what it was, with what it gained meanwhile
// params: agent_id STRING, from_id STRING, into_id STRING, before MAP, after MAP
// returns: id STRING
// mode: write
MATCH (s:Entity {agent_id: $agent_id, id: $into_id})
MATCH (f:MergedEntity {agent_id: $agent_id, id: $from_id})-[l:MERGED_INTO]->(s)
DELETE l
SET f:Entity
REMOVE f:MergedEntity
SET s.mentions = s.mentions - f.mentions,
  s.type = CASE WHEN s.type = $after.type THEN $before.type ELSE s.type END,
  s.pinned = CASE WHEN s.pinned = $after.pinned THEN $before.pinned ELSE s.pinned END,
  s.searchText = CASE WHEN s.searchText STARTS WITH $after.searchText
    THEN $before.searchText + substring(s.searchText, size($after.searchText))
    ELSE reduce(text = s.name, one IN COLLECT { MATCH (n:Name)-[:NAMES]->(s) WHERE n.canonical <> s.canonicalName
      RETURN n.surface ORDER BY n.canonical } | text + ' ' + one) END
RETURN f.id AS id
