// purpose: put a piece of work into the graph, unless it is there and open
// params: agent_id STRING, id STRING, kind STRING, subject_id STRING, active_key STRING, input STRING, now ZONED DATETIME, available_at ZONED DATETIME
// returns: id STRING
// mode: write
// scope: system
// fragments: next_turn
// why: asked for again while it runs, a job is queued once more when it is done
WITH 1 AS one
next_turn()
MERGE (j:Job {agent_id: $agent_id, activeKey: $active_key})
ON CREATE SET j.id = $id, j.kind = $kind, j.subjectId = $subject_id, j.input = $input, j.status = 'queued', j.turn = turn,
  j.attempts = 0, j.progress = 0.0, j.createdAt = $now, j.availableAt = $available_at
ON MATCH SET j.again = j.status = 'running'
RETURN j.id AS id
