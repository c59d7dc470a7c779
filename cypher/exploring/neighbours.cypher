// purpose: what stands beside an entity, the least mentioned first, with a few of its facts
// params: agent_id STRING, id STRING, cold BOOLEAN, now ZONED DATETIME
// returns: neighbours LIST<MAP>
// mode: read
// fragments: stands_now, status_now
// why: the first 1,000 edges only: some entities have 50,000
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: $id})-[d:DEPENDS_ON]-(o:Entity|ColdEntity)
WHERE o.id <> $id AND (stands_now(d) OR ($cold AND d.status = 'cold'))
  AND ($cold OR o:Entity)
WITH e, d, o LIMIT 1000
WITH e, o, max([d.confidence, d.id]) AS best
ORDER BY coalesce(o.mentions, 0), o.id
LIMIT 50
RETURN collect({id: o.id, name: o.name, type: o.type, cold: o:ColdEntity, mentions: coalesce(o.mentions, 0), confidence: best[0], dependencyId: best[1],
  facts: COLLECT { MATCH (o)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute)
    WHERE stands_now(t) OR ($cold AND t.status = 'cold' AND NOT t:Quarantined)
    RETURN {id: t.id, content: t.content, status: status_now(t)} ORDER BY t.importance DESC, t.id LIMIT 3 }}) AS neighbours
