// purpose: the same statement is kept once
// params: none
// returns: nothing
// mode: schema
// scope: system
// why: contentKey is the hash of the normalised content: content itself can be too long for an index
CREATE CONSTRAINT memory_agent_id_contentkey_unique IF NOT EXISTS
FOR (m:Memory) REQUIRE (m.agent_id, m.contentKey) IS UNIQUE
