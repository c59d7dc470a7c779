// purpose: note when everything was backed up
// params: now ZONED DATETIME
// returns: nothing
// mode: write
// scope: system
MERGE (l:Lease {name: 'backup'})
SET l.lastBackup = $now
