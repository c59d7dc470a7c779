// purpose: a pair of entities is decided on once, whichever is named first
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT merge_agent_id_pairkey_unique IF NOT EXISTS
FOR (m:Merge) REQUIRE (m.agent_id, m.pairKey) IS UNIQUE
