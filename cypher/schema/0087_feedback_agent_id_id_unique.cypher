// purpose: ids of feedback
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT feedback_agent_id_id_unique IF NOT EXISTS
FOR (f:Feedback) REQUIRE (f.agent_id, f.id) IS UNIQUE
