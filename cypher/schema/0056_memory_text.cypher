// purpose: words of a memory
// params: none
// returns: nothing
// mode: schema
// scope: system
// why: agentKey keeps a small agent's hits from starving; eventually consistent because a synchronous index makes small writes four times slower
CREATE FULLTEXT INDEX memory_text IF NOT EXISTS
FOR (n:Memory) ON EACH [n.searchText, n.agentKey]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}}
