// purpose: whether anything was stored here
// params: none
// returns: found BOOLEAN
// mode: read
// scope: system
RETURN EXISTS { MATCH (n) WHERE NOT n:Lease AND NOT n:Migration AND NOT n:Embedder } AS found
