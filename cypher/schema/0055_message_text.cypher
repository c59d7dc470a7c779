// purpose: words of a message, with its speaker
// params: none
// returns: nothing
// mode: schema
// scope: system
// why: agentKey keeps a small agent's hits from starving; eventually consistent because a synchronous index makes small writes four times slower
CREATE FULLTEXT INDEX message_text IF NOT EXISTS
FOR (n:Message) ON EACH [n.searchText, n.agentKey]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}}
