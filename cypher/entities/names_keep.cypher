// purpose: an entity keeps its own name and these; the others lead nowhere
// params: agent_id STRING, id STRING, names LIST<STRING>
// returns: gone LIST<STRING>
// mode: write
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: $id})
CALL (e) {
  MATCH (n:Name)-[l:NAMES]->(e)
  WHERE n.canonical <> e.canonicalName AND NOT n.canonical IN $names
  WITH n, n.canonical AS canonical, l
  SET n.takenAway = true
  DELETE l
  RETURN collect(canonical) AS gone
}
SET e.searchText = CASE WHEN size(gone) = 0 THEN e.searchText
  ELSE reduce(text = e.name, one IN COLLECT { MATCH (n:Name)-[:NAMES]->(e) WHERE n.canonical <> e.canonicalName
    RETURN n.surface ORDER BY n.canonical } | text + ' ' + one) END
RETURN gone
