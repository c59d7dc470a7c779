// purpose: a key is looked up by its hash at each request
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT key_hash_unique IF NOT EXISTS
FOR (k:Key) REQUIRE k.hash IS UNIQUE
