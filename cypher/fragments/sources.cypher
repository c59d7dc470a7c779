// How many say something: each speaker in each session once, and each statement of no session; an assistant says again
// what it was told. A session counts even where the words of its messages are not to be had.
// fragment: edge_sources(edge)
reduce(most = size([one IN edge.sessionIds WHERE NOT one IN coalesce(edge.lostIn, [])]), voices IN [size(COLLECT {
    UNWIND edge.memoryIds AS memoryId
    MATCH (k:Memory {agent_id: $agent_id, id: memoryId}) WHERE k.sessionId IS NULL
    RETURN k.id AS source
    UNION
    UNWIND edge.memoryIds AS memoryId
    MATCH (:Memory|ColdMemory {agent_id: $agent_id, id: memoryId})-[l:DERIVED_FROM]->(m:Message)
    WHERE l.lost IS NULL AND m.role <> 'assistant' AND NOT m.sessionId IN coalesce(edge.lostIn, [])
    RETURN m.sessionId + ' ' + coalesce(m.name, m.role) AS source })] | CASE WHEN voices > most THEN voices ELSE most END)
// fragment: fact_sources_count(fact)
reduce(most = size(coalesce(fact.sessionIds, [])), voices IN [size(COLLECT {
    MATCH (fact)-[:DERIVED_FROM]->(k:Memory) WHERE k.sessionId IS NULL
    RETURN k.id AS source
    UNION
    MATCH (fact)-[:DERIVED_FROM]->(:Memory|ColdMemory)-[l:DERIVED_FROM]->(m:Message)
    WHERE l.lost IS NULL AND m.role <> 'assistant'
    RETURN m.sessionId + ' ' + coalesce(m.name, m.role) AS source })] | CASE WHEN voices > most THEN voices ELSE most END)
// A second source leaves a third of the doubt, each further one half of that, as rules.impact.confidence.confirmed has it.
// fragment: confirmed(single, sources)
CASE WHEN sources < 2 THEN single
    ELSE round(CASE WHEN single > 0.99 THEN single WHEN 1 - (1 - single) / 3.0 * 0.5 ^ (sources - 2) > 0.99 THEN 0.99
      ELSE 1 - (1 - single) / 3.0 * 0.5 ^ (sources - 2) END, 4) END
