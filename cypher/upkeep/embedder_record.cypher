// purpose: note which embedder the vectors come from; the first one stays
// params: id STRING, dimensions INTEGER, now ZONED DATETIME
// returns: id STRING, dimensions INTEGER
// mode: write
// scope: system
MERGE (e:Embedder {name: 'vectors'})
ON CREATE SET e.id = $id, e.dimensions = $dimensions, e.since = $now
RETURN e.id AS id, e.dimensions AS dimensions
