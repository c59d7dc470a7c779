// purpose: when everything was backed up last
// params: none
// returns: at ZONED DATETIME
// mode: read
// scope: system
MATCH (l:Lease {name: 'backup'})
RETURN l.lastBackup AS at
