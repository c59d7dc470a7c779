// purpose: note which embedder the vectors come from: the first one stays, or another one from now on
// params: id STRING, dimensions INTEGER, now ZONED DATETIME
// returns: id STRING, dimensions INTEGER // [first]
// returns: nothing // [changed]
// mode: write
// scope: system
// variants: first | changed
MERGE (e:Embedder {name: 'vectors'})
ON CREATE SET e.id = $id, e.dimensions = $dimensions, e.since = $now // [first]
RETURN e.id AS id, e.dimensions AS dimensions // [first]
// SET e.id = $id, e.dimensions = $dimensions, e.since = $now // [changed]
