// purpose: note what a roll-back did
// params: agent_id STRING, id STRING, journal STRING
// returns: id STRING
// mode: write
MATCH (r:Rollback {agent_id: $agent_id, id: $id})
SET r.journal = $journal
RETURN r.id AS id
