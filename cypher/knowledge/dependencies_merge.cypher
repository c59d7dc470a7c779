// purpose: draw dependencies, each once while it is active
// params: agent_id STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: merged LIST<LIST<ANY>>
// mode: write
// fragments: edge_sources, confirmed
// why: what a person gave is pinned: talk neither raises nor lowers it
// why: both ends are locked by entities_merge before, so that two writers cannot both make the edge
// why: one row of lists: a row for each edge takes the driver longer than reading it takes the server
UNWIND $rows AS row
MATCH (a:Entity|ColdEntity {agent_id: $agent_id, id: row.sourceId})
MATCH (b:Entity|ColdEntity {agent_id: $agent_id, id: row.targetId})
MERGE (a)-[d:DEPENDS_ON {agent_id: $agent_id, activeKey: row.activeKey}]->(b)
ON CREATE SET d.id = row.id, d.type = row.type, d.confidence = coalesce(row.confidence, 1.0), d.strength = coalesce(row.strength, 0.5),
  d.reason = row.reason, d.status = 'active', d.explicit = row.explicit, d.validFrom = coalesce(row.validFrom, $now), d.createdAt = $now,
  d.extractionLevel = row.extractionLevel, d.oneSource = row.confidence, d.basis = row.basis, d.memoryIds = row.memoryIds, d.attributeIds = row.attributeIds, d.sessionIds = row.sessionIds
ON MATCH SET
  d.confidence = CASE
    WHEN row.explicit THEN coalesce(row.confidence, d.confidence)
    WHEN NOT d.explicit AND row.confidence > d.confidence THEN row.confidence
    ELSE d.confidence END,
  d.basis = CASE WHEN row.confidence > coalesce(d.oneSource, d.confidence) THEN row.basis ELSE d.basis END,
  d.oneSource = CASE WHEN d.explicit THEN d.oneSource WHEN row.confidence > coalesce(d.oneSource, d.confidence) THEN row.confidence ELSE coalesce(d.oneSource, d.confidence) END,
  d.strength = CASE WHEN row.explicit THEN coalesce(row.strength, d.strength) ELSE d.strength END,
  d.reason = CASE WHEN row.explicit THEN coalesce(row.reason, d.reason) ELSE d.reason END,
  d.explicit = d.explicit OR row.explicit,
  d.lostIn = [seen IN d.lostIn WHERE NOT seen IN row.sessionIds],
  d.memoryIds = d.memoryIds + [seen IN row.memoryIds WHERE NOT seen IN d.memoryIds],
  d.attributeIds = d.attributeIds + [seen IN row.attributeIds WHERE NOT seen IN d.attributeIds],
  d.sessionIds = d.sessionIds + [seen IN row.sessionIds WHERE NOT seen IN d.sessionIds]
WITH row, d, CASE WHEN d.explicit THEN 0 ELSE edge_sources(d) END AS sources, d.oneSource AS single
WITH row, d, sources, CASE WHEN sources < 2 THEN d.confidence ELSE confirmed(single, sources) END AS sure
SET d.confidence = CASE WHEN sure > d.confidence THEN sure ELSE d.confidence END,
  d.reason = CASE WHEN sources > 1 THEN 'multi-memory' ELSE d.reason END
RETURN collect([row.ref, d.id, d.id = row.id]) AS merged
