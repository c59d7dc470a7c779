// purpose: an idempotency key is used once; the second request waits on this index
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT request_agent_id_key_unique IF NOT EXISTS
FOR (r:Request) REQUIRE (r.agent_id, r.key) IS UNIQUE
