// purpose: take names back that no longer mean one thing of a repository
// params: agent_id STRING, rows LIST<MAP>
// returns: nothing
// mode: write
// why: only names that were given here: what people call an entity stays
UNWIND $rows AS row
MATCH (n:Name {agent_id: $agent_id, canonical: row.canonical})-[:NAMES]->(e:Entity|ColdEntity)
WHERE n.ofCode AND n.canonical <> e.canonicalName AND EXISTS { MATCH (:Name {agent_id: $agent_id, canonical: row.key})-[:NAMES]->(e) }
DETACH DELETE n
