// What held at a time ($as_of), as was known at another ($known_at). Belief is on the links: what was undone by then
// ended nothing, and what is away since was there still.
// What holds now.
// fragment: holds_now(thing)
thing.validFrom <= $now AND (thing.validTo IS NULL OR $now < thing.validTo)
// What another one ends on a day still to come holds until then, though its status names the end already.
// fragment: stands_now(thing)
(thing.status IN ['active', 'superseded'] AND holds_now(thing))
// fragment: status_now(thing)
CASE WHEN thing.status = 'superseded' AND $now < thing.validTo THEN 'active' ELSE thing.status END
// fragment: believed(link)
link.at <= $known_at AND coalesce($known_at < link.undoneAt, true)
// fragment: own_end(thing)
CASE WHEN 'superseded' IN [thing.status, thing.coldStatus] THEN thing.ownValidTo ELSE thing.validTo END
// Whether a fact was known and had not ended by itself; what took its place by then is another question. Of one that was altered
// nobody knows what it said.
// fragment: fact_begun(fact)
NOT fact:Quarantined AND fact.createdAt <= $known_at AND fact.validFrom <= $as_of
  AND coalesce($as_of < own_end(fact), true)
  AND (fact.status IN ['active', 'superseded'] OR $known_at < coalesce(fact.coldAt, fact.retiredAt))
// fragment: fact_replaced(fact)
EXISTS { (fact)-[l:SUPERSEDED_BY|RETIRED_BY]->() WHERE believed(l) AND l.validTo <= $as_of }
// fragment: fact_held(fact)
fact_begun(fact)
  AND (NOT fact_replaced(fact))
// Behind WITH: the fact, the link that ended it first, whether that is over, and its end.
// fragment: fact_with_end(fact)
fact, head(COLLECT {
  MATCH (fact)-[l:SUPERSEDED_BY|RETIRED_BY]->(n:Attribute|Rollback)
  WHERE believed(l)
  RETURN {by: CASE WHEN n:Attribute THEN n.id END, validTo: l.validTo, at: l.at} ORDER BY l.validTo, l.at, n.id LIMIT 1 }) AS link, own_end(fact) AS ownEnd
WITH fact, link, coalesce(link.validTo <= $as_of, false) AS over,
  CASE WHEN link.validTo IS NULL OR ownEnd < link.validTo THEN ownEnd ELSE link.validTo END AS validTo
// A statement holds while one of its facts does, and one without facts until another took its place.
// fragment: memory_begun(memory)
memory.createdAt <= $known_at AND memory.validFrom <= $as_of
  AND coalesce($as_of < own_end(memory), true)
// fragment: memory_stood(memory)
NOT (EXISTS { (memory)<-[:DERIVED_FROM]-(t:Attribute) WHERE t.createdAt <= $known_at }
  AND NOT EXISTS { (memory)<-[:DERIVED_FROM]-(t:Attribute) WHERE fact_held(t) })
  AND NOT EXISTS { MATCH (r:Memory|ColdMemory {agent_id: $agent_id, id: memory.supersededBy}) WHERE r.createdAt <= $known_at AND r.validFrom <= $as_of }
// An edge that was retired and came back says in its three lists when it was believed to have ended, and when it did.
// fragment: edge_held(edge)
edge.createdAt <= $known_at AND edge.validFrom <= $as_of
  AND (edge.status IN ['active', 'superseded'] OR $known_at < coalesce(edge.deletedAt, edge.retiredAt))
  AND NOT coalesce((edge.status = 'active' OR edge.retiredAt <= $known_at) AND edge.validTo <= $as_of, false)
  AND NOT any(i IN range(0, size(coalesce(edge.retiredFrom, [])) - 1)
    WHERE edge.retiredFrom[i] <= $known_at AND $known_at < edge.retiredUntil[i] AND edge.retiredEnd[i] <= $as_of)
