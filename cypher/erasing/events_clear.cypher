// purpose: erase what history says of erased things: what was before and after, and why; that something happened stays
// params: agent_id STRING, ids LIST<STRING>, event_ids LIST<STRING>, erasure_id STRING
// returns: id STRING
// mode: write
// why: the hash stays, so that the chain holds; the record of the erasure says which events it took the words of
CALL () {
  UNWIND $ids AS id
  MATCH (e:Event)
  WHERE e.agent_id = $agent_id AND e.subjectId = id AND e.at IS NOT NULL
  RETURN e
  UNION
  UNWIND $event_ids AS id
  MATCH (e:Event {agent_id: $agent_id, id: id})
  RETURN e
}
WITH DISTINCT e WHERE e.before IS NOT NULL OR e.after IS NOT NULL OR e.reason IS NOT NULL
SET e.before = null, e.after = null, e.reason = null, e.erasedBy = coalesce(e.erasedBy, $erasure_id)
RETURN e.id AS id
