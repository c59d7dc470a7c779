// purpose: a key is listed and revoked by its id
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT key_id_unique IF NOT EXISTS
FOR (k:Key) REQUIRE k.id IS UNIQUE
