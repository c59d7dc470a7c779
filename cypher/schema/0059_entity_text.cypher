// purpose: names of an entity
// params: none
// returns: nothing
// mode: schema
// scope: system
// why: names are not English prose: no stemming, no stop words
CREATE FULLTEXT INDEX entity_text IF NOT EXISTS
FOR (n:Entity) ON EACH [n.searchText, n.agentKey]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-no-stop-words', `fulltext.eventually_consistent`: true}}
