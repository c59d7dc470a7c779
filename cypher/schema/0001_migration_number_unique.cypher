// purpose: a migration is recorded once
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT migration_number_unique IF NOT EXISTS
FOR (m:Migration) REQUIRE (m.number) IS UNIQUE
