// purpose: payloads are content-addressed, per agent
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT payload_agent_id_sha256_unique IF NOT EXISTS
FOR (p:Payload) REQUIRE (p.agent_id, p.sha256) IS UNIQUE
