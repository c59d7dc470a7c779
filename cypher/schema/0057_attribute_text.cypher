// purpose: words of a fact
// params: none
// returns: nothing
// mode: schema
// scope: system
// why: agentKey keeps a small agent's hits from starving; eventually consistent because a synchronous index makes small writes four times slower
CREATE FULLTEXT INDEX attribute_text IF NOT EXISTS
FOR (n:Attribute) ON EACH [n.searchText, n.agentKey]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}}
