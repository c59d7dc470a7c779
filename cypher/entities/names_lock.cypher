// purpose: lock names until the transaction ends, and tell whom they lead to
// params: agent_id STRING, rows LIST<MAP>
// returns: canonical STRING, id STRING, name STRING, cold BOOLEAN
// mode: write
// why: rows come sorted, as entities_merge locks names; a name nobody had is there from now on, and leads nowhere yet
UNWIND $rows AS row
MERGE (n:Name {agent_id: $agent_id, canonical: row.canonical})
ON CREATE SET n.surface = row.name
SET n.lock = true
WITH n
OPTIONAL MATCH (n)-[:NAMES]->(e:Entity|ColdEntity)
RETURN n.canonical AS canonical, e.id AS id, e.name AS name, e:ColdEntity AS cold
