// purpose: take names back that no longer mean one thing of a repository
// params: agent_id STRING, rows LIST<MAP>
// returns: nothing
// mode: write
// why: only names that were given here: what people call an entity stays
// why: the hint keeps a plan that was made while the graph was small from going over all entities
UNWIND $rows AS row
MATCH (n:Name {agent_id: $agent_id, canonical: row.canonical})-[:NAMES]->(e:Entity|ColdEntity)
USING INDEX SEEK n:Name(agent_id, canonical)
WHERE n.ofCode AND n.canonical <> e.canonicalName AND EXISTS { MATCH (:Name {agent_id: $agent_id, canonical: row.key})-[:NAMES]->(e) }
DETACH DELETE n
