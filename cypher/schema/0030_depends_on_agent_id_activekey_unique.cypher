// purpose: of one source, target and type, one dependency is active
// params: none
// returns: nothing
// mode: schema
// scope: system
// why: activeKey is null once the edge is retired, so that its history stays
CREATE CONSTRAINT depends_on_agent_id_activekey_unique IF NOT EXISTS
FOR ()-[d:DEPENDS_ON]-() REQUIRE (d.agent_id, d.activeKey) IS UNIQUE
