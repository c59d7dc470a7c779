// purpose: what is known of chores
// params: names LIST<STRING>
// returns: name STRING, runs INTEGER, lastRun ZONED DATETIME, wantedAt ZONED DATETIME, error STRING
// mode: read
// scope: system
UNWIND $names AS name
MATCH (l:Lease {name: name})
RETURN l.name AS name, coalesce(l.runs, 0) AS runs, l.lastRun AS lastRun, l.wantedAt AS wantedAt, l.error AS error
