// purpose: drop an index, or a constraint with its index, that is to be made again
// params: name STRING
// returns: nothing
// mode: write
// scope: system
// variants: index | constraint
DROP INDEX $name IF EXISTS // [index]
// DROP CONSTRAINT $name IF EXISTS // [constraint]
