// purpose: any part of what a message says, and what such a search is filtered by
// params: none
// returns: nothing
// mode: schema
// scope: system
// why: there is no n-gram analyser, so grams are stored, and white space parts them; the filters stand in the index so that they are exact before a limit
CREATE FULLTEXT INDEX message_grams IF NOT EXISTS
FOR (n:Message) ON EACH [n.grams, n.agentKey, n.sessionId, n.role, n.source]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: true}}
