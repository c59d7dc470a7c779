// purpose: drop a constraint whose index is to be made again
// params: name STRING
// returns: nothing
// mode: write
// scope: system
DROP CONSTRAINT $name IF EXISTS
