// Round robin by agent: a job gets the turn behind the last one of its agent, but none that is over; jobs of one turn go in order of time.
// fragment: next_turn()
CALL () {
  OPTIONAL MATCH (q:Job) WHERE q.status = 'queued' AND q.turn >= 0 AND q.availableAt <= $now
  WITH q.turn AS front ORDER BY front LIMIT 1
  RETURN front
}
CALL () {
  OPTIONAL MATCH (q:Job {agent_id: $agent_id, status: 'queued'})
  RETURN max(q.turn) AS mine
}
WITH *, CASE WHEN mine >= coalesce(front, mine) THEN mine + 1 ELSE coalesce(front, 0) END AS turn
