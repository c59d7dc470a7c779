// purpose: open sessions by how long they are idle; only open ones have the property
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX session_idle_since IF NOT EXISTS
FOR (s:Session) ON (s.idleSince)
