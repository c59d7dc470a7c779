// purpose: how many jobs of all agents have each status
// params: none
// returns: status STRING, number INTEGER
// mode: read
// scope: system
// why: the index on status finds those that are open or failed; most are done, and are what is left of the store's own count
CALL () { MATCH (j:Job) RETURN count(j) AS all }
CALL () { MATCH (j:Job) WHERE j.status = 'queued' AND j.availableAt IS NOT NULL RETURN count(j) AS queued }
CALL () { MATCH (j:Job) WHERE j.status = 'running' AND j.availableAt IS NOT NULL RETURN count(j) AS running }
CALL () { MATCH (j:Job) WHERE j.status = 'failed' AND j.availableAt IS NOT NULL RETURN count(j) AS failed }
UNWIND [['queued', queued], ['running', running], ['failed', failed], ['done', all - queued - running - failed]] AS one
RETURN one[0] AS status, one[1] AS number
