// purpose: a lease has one holder
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT lease_name_unique IF NOT EXISTS
FOR (l:Lease) REQUIRE (l.name) IS UNIQUE
