// purpose: pinned memories, whatever they are about
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX memory_agent_id_pinned IF NOT EXISTS
FOR (k:Memory) ON (k.agent_id, k.pinned)
