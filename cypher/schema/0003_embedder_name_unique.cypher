// purpose: the store's vectors come from one embedder
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT embedder_name_unique IF NOT EXISTS
FOR (e:Embedder) REQUIRE (e.name) IS UNIQUE
