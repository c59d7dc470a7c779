// purpose: have each session summary of a line follow the one before it, and nothing else
// params: agent_id STRING, ids LIST<STRING>
// returns: mended INTEGER
// mode: write
// why: sessions that end at once do not see each other; erasing one leaves a gap
UNWIND range(0, size($ids) - 1) AS place
MATCH (y:Summary {agent_id: $agent_id, id: $ids[place]})
OPTIONAL MATCH (p:Summary {agent_id: $agent_id, id: CASE place WHEN 0 THEN null ELSE $ids[place - 1] END})
WITH y, p WHERE COUNT { (y)-[:FOLLOWS]->() } <> CASE WHEN p IS NULL THEN 0 ELSE 1 END OR p IS NOT NULL AND NOT EXISTS { (y)-[:FOLLOWS]->(p) }
CALL (y, p) {
  MATCH (y)-[f:FOLLOWS]->(o:Summary)
  WHERE p IS NULL OR o <> p
  DELETE f
}
FOREACH (_ IN CASE WHEN p IS NULL THEN [] ELSE [1] END | MERGE (y)-[:FOLLOWS]->(p))
RETURN count(y) AS mended
