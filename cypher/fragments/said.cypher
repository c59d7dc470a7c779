// What statements came to: of each fact drawn from one its status, its end, what took its place, when a person deleted it, and which part says it.
// fragment: facts_now(memory)
COLLECT { MATCH (memory)<-[says:DERIVED_FROM]-(fact:Attribute)
  RETURN [CASE WHEN memory.coldReason = 'deleted' THEN 'deleted' ELSE status_now(fact) END, toString(fact.validTo), fact.supersededBy, toString(coalesce(memory.coldAt, fact.coldAt)), says.places]
  ORDER BY fact.id }
// fragment: facts_then(memory)
COLLECT { MATCH (memory)<-[says:DERIVED_FROM]-(fact:Attribute)
  WHERE fact.createdAt <= $known_at
  CALL (fact) {
    OPTIONAL MATCH (fact)-[l:SUPERSEDED_BY|RETIRED_BY]->(instead:Attribute|Rollback)
    WHERE believed(l) AND l.validTo <= $as_of
    RETURN l, instead ORDER BY l.validTo, l.at LIMIT 1
  }
  RETURN [CASE WHEN l IS NOT NULL THEN 'superseded' ELSE 'active' END, toString(l.validTo), CASE WHEN instead:Attribute THEN instead.id END, null, says.places]
  ORDER BY fact.id }
// Lines of a session, an arc or an epoch are statements; those of a compaction are sentences of its messages.
// fragment: summary_said_now(summary)
COLLECT {
    CALL (summary) {
      MATCH (summary)-[:DERIVED_FROM]->(told:Memory|ColdMemory)
      RETURN told, told.content AS words
      UNION
      MATCH (summary)-[:HAS_CHILD*0..6]->(:Summary)-[:COVERS]->(m:Message)<-[d:DERIVED_FROM]-(told:Memory|ColdMemory)
      WHERE summary.kind IN ['leaf', 'condensed', 'recap']
      RETURN told, substring(m.searchText, size(coalesce(m.name + ': ', '')) + d.start, d.end - d.start) AS words
    }
    WITH told, words WHERE told:ColdMemory OR EXISTS { MATCH (told)<-[:DERIVED_FROM]-(t:Attribute) WHERE t.status <> 'active' }
    RETURN [words, null, null, facts_now(told)] ORDER BY told.id LIMIT 500 }
// fragment: summary_said_then(summary)
COLLECT {
    CALL (summary) {
      MATCH (summary)-[:DERIVED_FROM]->(told:Memory|ColdMemory)
      RETURN told, told.content AS words
      UNION
      MATCH (summary)-[:HAS_CHILD*0..6]->(:Summary)-[:COVERS]->(m:Message)<-[d:DERIVED_FROM]-(told:Memory|ColdMemory)
      WHERE summary.kind IN ['leaf', 'condensed', 'recap']
      RETURN told, substring(m.searchText, size(coalesce(m.name + ': ', '')) + d.start, d.end - d.start) AS words
    }
    WITH told, words WHERE told:ColdMemory OR EXISTS { MATCH (told)<-[:DERIVED_FROM]-(t:Attribute) WHERE t.status <> 'active' }
    RETURN [words, null, null, facts_then(told)] ORDER BY told.id LIMIT 500 }
