// purpose: what was learned in sessions, each statement once, at its first place, with the facts it gave
// params: agent_id STRING, ids LIST<STRING>, now ZONED DATETIME
// returns: statement MAP
// mode: read
// fragments: stands_now
// why: ids are those of the sessions' summaries, in order; DISTINCT between the steps keeps the walk from starting at all memories
UNWIND range(0, size($ids) - 1) AS place
MATCH (s:Session)-[:HAS_SUMMARY]->(:Summary {agent_id: $agent_id, id: $ids[place]})
MATCH (s)-[:HAS_MESSAGE]->(m:Message)
WITH DISTINCT place, m
MATCH (m)<-[:DERIVED_FROM]-(k:Memory)
WITH k, place, min(m.ordinal) AS ordinal
ORDER BY place
WITH k, head(collect([place, ordinal])) AS first
RETURN k {.id, .content, .type, .importance, place: first[0], ordinal: first[1],
  facts: COLLECT { MATCH (k)<-[:DERIVED_FROM]-(t:Attribute)
    RETURN t {.id, .content, .kind, .aspect, .importance,
      open: stands_now(t),
      replaces: EXISTS { MATCH (t)<-[l:SUPERSEDED_BY]-(:Attribute) WHERE l.undoneAt IS NULL }} ORDER BY t.id },
  replacedBy: COLLECT { MATCH (k)<-[:DERIVED_FROM]-(:Attribute) (()-[l:SUPERSEDED_BY WHERE l.undoneAt IS NULL]->(:Attribute)){1,10} (n)-[:DERIVED_FROM]->(o:Memory)
    WHERE o <> k RETURN DISTINCT o.id }} AS statement
ORDER BY first[0], first[1], k.id
