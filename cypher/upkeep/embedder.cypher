// purpose: the embedder the stored vectors come from: as it was noted, noted where none is, another one from now on
// params: id STRING, dimensions INTEGER, now ZONED DATETIME
// returns: id STRING, dimensions INTEGER // [noted, first]
// returns: nothing // [changed]
// mode: read // [noted]
// mode: write // [first, changed]
// scope: system
// variants: noted | first | changed
MATCH (e:Embedder {name: 'vectors'}) // [noted]
// MERGE (e:Embedder {name: 'vectors'}) // [first, changed]
// ON CREATE SET e.id = $id, e.dimensions = $dimensions, e.since = $now // [first]
RETURN e.id AS id, e.dimensions AS dimensions // [noted, first]
// SET e.id = $id, e.dimensions = $dimensions, e.since = $now // [changed]
