// purpose: drop an index that is to be made again
// params: name STRING
// returns: nothing
// mode: write
// scope: system
DROP INDEX $name IF EXISTS
