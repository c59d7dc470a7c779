// purpose: let what conversations already named be the entity that is read: its name leads there from now on
// params: agent_id STRING, rows LIST<MAP>
// returns: key STRING, id STRING
// mode: write
// why: only what no repository claims, and by a name that means one thing in this one; the first of the names that leads somewhere decides
UNWIND $rows AS row
MATCH (n:Name {agent_id: $agent_id, canonical: row.canonical})-[:NAMES]->(e:Entity)
WHERE e.file IS NULL AND e.type IN ['file', 'module', 'symbol', 'system', 'tool', 'unknown'] AND NOT EXISTS { MATCH (:Name {agent_id: $agent_id, canonical: row.key}) }
WITH row.key AS key, collect([row, e]) AS found
WITH key, found[0][0] AS row, found[0][1] AS e
WITH e, collect([key, row])[0] AS first
WITH e, first[0] AS key, first[1] AS row
CREATE (k:Name {agent_id: $agent_id, canonical: key, surface: row.name})
CREATE (k)-[:NAMES]->(e)
SET e.name = row.name, e.searchText = e.searchText + ' ' + row.search
RETURN key, e.id AS id
