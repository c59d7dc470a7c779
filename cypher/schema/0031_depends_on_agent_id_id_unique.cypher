// purpose: dependency ids
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT depends_on_agent_id_id_unique IF NOT EXISTS
FOR ()-[d:DEPENDS_ON]-() REQUIRE (d.agent_id, d.id) IS UNIQUE
