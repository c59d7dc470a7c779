// purpose: note what a roll-back did, or that it is undone
// params: agent_id STRING, id STRING, journal STRING, now ZONED DATETIME
// returns: id STRING
// mode: write
// variants: journal | undone
MATCH (r:Rollback {agent_id: $agent_id, id: $id}) // [journal]
SET r.journal = $journal // [journal]
// MATCH (r:Rollback {agent_id: $agent_id, id: $id, status: 'applied'}) // [undone]
// SET r.status = 'undone', r.undoneAt = $now // [undone]
RETURN r.id AS id
