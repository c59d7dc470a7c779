// purpose: a name leads to one entity; the lock that keeps concurrent writers at one node
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT name_agent_id_canonical_unique IF NOT EXISTS
FOR (n:Name) REQUIRE (n.agent_id, n.canonical) IS UNIQUE
