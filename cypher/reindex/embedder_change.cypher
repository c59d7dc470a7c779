// purpose: note that the vectors come from another embedder from now on
// params: id STRING, dimensions INTEGER, now ZONED DATETIME
// returns: nothing
// mode: write
// scope: system
MERGE (e:Embedder {name: 'vectors'})
SET e.id = $id, e.dimensions = $dimensions, e.since = $now
