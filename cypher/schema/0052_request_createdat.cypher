// purpose: keys old enough to be forgotten
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX request_createdat IF NOT EXISTS
FOR (r:Request) ON (r.createdAt)
