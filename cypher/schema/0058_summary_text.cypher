// purpose: words of a summary
// params: none
// returns: nothing
// mode: schema
// scope: system
// why: agentKey keeps a small agent's hits from starving; eventually consistent because a synchronous index makes small writes four times slower
CREATE FULLTEXT INDEX summary_text IF NOT EXISTS
FOR (n:Summary) ON EACH [n.searchText, n.agentKey]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}}
