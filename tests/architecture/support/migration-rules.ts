import { statementsOf } from './sql-statements.ts'

/** Above or in a statement that a rule rejects: why the previous release still works. */
const EXPLAINED = /^-- Safe while the release before runs: \S/m
const WITHOUT_TRANSACTION = /^-- Without a transaction\b/m

/** Nobody uses a table that the migration itself creates. */
const TABLE = String.raw`(?:if (?:not )?exists )?(?:only )?(?<table>[\w."]+)`
const ALTER = `^alter table ${TABLE}`
/** In place of the name of a column. */
const NO_COLUMN = '(?!constraint|check|foreign|unique|primary|exclude)'

const BREAKS = 'the release before, which runs beside this one, still uses it'
const LOCKS = 'nobody can use the table meanwhile'

const rule = (refuses: string, because: string) => ({ refuses: new RegExp(refuses), because })
const RULES = [
  rule('^drop (table|view|materialized view|function|procedure|type|sequence|schema)\\b', BREAKS),
  rule(`${ALTER} drop (column )?(if exists )?(?!constraint)\\w`, BREAKS),
  rule('^alter (table|view|type|sequence|function) .*\\brename\\b', BREAKS),
  rule(`${ALTER} alter (column )?\\S+ (set data )?type\\b`, `${BREAKS}; ${LOCKS} while it is written anew`),
  rule(
    `${ALTER} alter .*set not null`,
    `the release before may leave it out; ${LOCKS} while all of it is read`,
  ),
  rule(
    `${ALTER} add (column )?(if not exists )?${NO_COLUMN}(?=.* not null)(?!.* (default|generated) )`,
    'the release before leaves it out of what it inserts: it needs a default',
  ),
  rule(
    `${ALTER} add .*( stored| as identity|serial\\b| default .*(random|nextval|clock_timestamp))`,
    `${LOCKS} while it is written anew`,
  ),
  rule(
    `${ALTER} add (constraint|check|foreign key|unique|primary key|exclude)\\b(?!.* (not valid|using index))`,
    `${LOCKS} while all of it is checked: add it \`not valid\`, and validate it in a later migration`,
  ),
  rule(
    `${ALTER} add (column )?${NO_COLUMN}.* (references|unique|primary key|check)\\b`,
    `${LOCKS} while all of it is checked: add the constraint by itself, \`not valid\``,
  ),
  rule(
    `^create (unique )?index (?!concurrently)(if not exists )?([\\w"]+ )?on ${TABLE}`,
    'nobody can write to the table meanwhile: build it `concurrently`, in a migration without a transaction',
  ),
  rule('^(reindex (?!.*concurrently)|truncate|lock|cluster|vacuum full)', LOCKS),
  rule(
    `^(update|delete from) ${TABLE}`,
    'what it changes stays locked until the migration ends: let the service do it, bit by bit',
  ),
]

/** What a running system would not survive in a migration, statement by statement. */
export function findUnsafe(migration: string): string[] {
  const [upwards = ''] = migration.split(/^-- Down Migration$/m)
  const statements = statementsOf(upwards)
  const made = statements.map(
    ({ text }) => /^create (?:unlogged )?table (?:if not exists )?([\w."]+)/.exec(text)?.[1],
  )
  const refused = statements.flatMap(({ text, comments }) =>
    RULES.flatMap(({ refuses, because }) => {
      const found = refuses.exec(text)
      if (!found || EXPLAINED.test(comments)) return []
      const table = found.groups?.['table']
      return table !== undefined && made.includes(table) ? [] : [`${text.slice(0, 80)}: ${because}`]
    }),
  )
  const isApart = WITHOUT_TRANSACTION.test(upwards)
  if (isApart && statements.length !== 1) refused.push('a migration without a transaction has one statement')
  if (!isApart && statements.some(({ text }) => text.includes(' concurrently ')))
    refused.push('`concurrently` is possible in a migration that says `-- Without a transaction`')
  return refused
}
