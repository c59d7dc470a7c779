// purpose: an agent has one chain of events
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT eventchain_agent_id_unique IF NOT EXISTS
FOR (e:EventChain) REQUIRE (e.agent_id) IS UNIQUE
