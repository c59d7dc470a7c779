// purpose: the next piece of work that is due, by turns, or whose worker fell silent
// params: holder STRING, now ZONED DATETIME, until ZONED DATETIME
// returns: id STRING, agent_id STRING, kind STRING, subjectId STRING, input STRING, attempts INTEGER
// mode: write
// scope: system
// why: nothing is made of an agent's words while some of them are erased
// why: of a running job, availableAt is the end of its lease; the SET before the second check locks it
CALL () {
  MATCH (j:Job) WHERE j.status = 'running' AND j.availableAt <= $now AND NOT EXISTS { (:Erasing {agent_id: j.agent_id}) }
  RETURN j ORDER BY j.availableAt LIMIT 1
  UNION
  MATCH (j:Job) WHERE j.status = 'queued' AND j.turn >= 0 AND j.availableAt <= $now AND NOT EXISTS { (:Erasing {agent_id: j.agent_id}) }
  RETURN j ORDER BY j.turn, j.availableAt LIMIT 1
}
WITH j LIMIT 1
SET j.lock = true
WITH j WHERE j.status IN ['queued', 'running'] AND j.availableAt <= $now
SET j.status = 'running', j.holder = $holder, j.availableAt = $until, j.attempts = j.attempts + 1
RETURN j.id AS id, j.agent_id AS agent_id, j.kind AS kind, j.subjectId AS subjectId, j.input AS input, j.attempts AS attempts
