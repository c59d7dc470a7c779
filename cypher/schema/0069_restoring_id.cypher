// purpose: nodes of a backup find each other while it is restored
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX restoring_id IF NOT EXISTS
FOR (n:Restoring) ON (n.restoreId)
