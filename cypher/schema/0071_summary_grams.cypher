// purpose: any part of what a summary says
// params: none
// returns: nothing
// mode: schema
// scope: system
// why: there is no n-gram analyser, so grams are stored, and white space parts them
CREATE FULLTEXT INDEX summary_grams IF NOT EXISTS
FOR (n:Summary) ON EACH [n.grams, n.agentKey, n.sessionId]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: true}}
