// purpose: dependencies join other entities; ids and all else of them stay
// params: agent_id STRING, rows LIST<MAP>
// returns: nothing
// mode: write
// why: a relationship cannot change its ends, so each is drawn anew; all are deleted before the first is drawn, for keys and ids are unique
UNWIND $rows AS row
MATCH ()-[d:DEPENDS_ON {agent_id: $agent_id, id: row.id}]->()
MATCH (a:Entity|ColdEntity|MergedEntity {agent_id: $agent_id, id: row.sourceId})
MATCH (b:Entity|ColdEntity|MergedEntity {agent_id: $agent_id, id: row.targetId})
WITH row, d, a, b, properties(d) AS held
DELETE d
WITH a, b, held {.*, activeKey: CASE WHEN held.activeKey IS NULL THEN null ELSE row.key END,
  coldKey: CASE WHEN held.coldKey IS NULL THEN null ELSE row.key END} AS held
WITH collect({a: a, b: b, held: held}) AS all
UNWIND all AS one
WITH one.a AS a, one.b AS b, one.held AS held
CREATE (a)-[n:DEPENDS_ON]->(b)
SET n = held
