// Compares a service's schema.prisma with the database that the SQL migrations created, in both directions. (`prisma migrate
// diff` would need the schema engine, which is a download.)
import { readFileSync } from 'node:fs'
import { createLog, createPool } from '@tms/service-kit'
import { type Column, type Key, parseSchema, type Table } from './prisma-schema.ts'

/** Tables of the service kit, which are not used through Prisma. */
const SHARED_TABLES = new Set([
  'projection_replay',
  'followed_sources',
  'audit_outbox',
  'outbox',
  'outbox_relay',
  'projection_position',
  'recent_changes',
  'recent_changes_horizon',
  'shared_migrations',
  'migrations',
])

/** Lists the differences between schema and database. Empty if they agree. */
export async function listSchemaDifferences(databaseUrl: string, schemaPath: string): Promise<string[]> {
  const declared = parseSchema(readFileSync(schemaPath, 'utf8'))
  const actual = await readTables(databaseUrl)
  const differences: string[] = []
  for (const [name, table] of declared) {
    const found = actual.get(name)
    if (found) differences.push(...compareTables(name, table, found))
    else differences.push(`table ${name} is in the schema (model ${table.model}) but not in the database`)
  }
  for (const name of actual.keys()) {
    if (!declared.has(name))
      differences.push(`table ${name} is in the database but has no model in the schema`)
  }
  return differences
}

function compareTables(name: string, declared: Table, actual: Table): string[] {
  const differences: string[] = []
  const differ = (column: string, what: string, inSchema: string, inDatabase: string) =>
    differences.push(
      `${name}.${column}: ${what} is ${inSchema} in the schema and ${inDatabase} in the database`,
    )
  for (const [column, inSchema] of declared.columns) {
    const inDatabase = actual.columns.get(column)
    if (!inDatabase) {
      differences.push(`${name}.${column} is in the schema but not in the database`)
      continue
    }
    if (inSchema.type !== inDatabase.type) differ(column, 'the type', inSchema.type, inDatabase.type)
    if (inSchema.isNullable !== inDatabase.isNullable)
      differ(column, 'null', allowed(inSchema.isNullable), allowed(inDatabase.isNullable))
    if (inSchema.hasDefault !== inDatabase.hasDefault)
      differ(column, 'a default', present(inSchema.hasDefault), present(inDatabase.hasDefault))
  }
  for (const column of actual.columns.keys()) {
    if (!declared.columns.has(column))
      differences.push(`${name}.${column} is in the database but not in the schema`)
  }
  for (const kind of ['primary key', 'unique', 'index']) {
    const inSchema = new Set(declared.keys.filter((key) => key.kind === kind).map((key) => key.columns))
    const inDatabase = new Set(actual.keys.filter((key) => key.kind === kind).map((key) => key.columns))
    for (const columns of inSchema) {
      if (!inDatabase.has(columns))
        differences.push(`${name}: ${kind} (${columns}) is in the schema but not in the database`)
    }
    for (const columns of inDatabase) {
      if (!inSchema.has(columns))
        differences.push(`${name}: ${kind} (${columns}) is in the database but not in the schema`)
    }
  }
  return differences
}

const allowed = (isNullable: boolean) => (isNullable ? 'allowed' : 'not allowed')
const present = (hasDefault: boolean) => (hasDefault ? 'present' : 'absent')

async function readTables(databaseUrl: string): Promise<Map<string, Table>> {
  const db = createPool(databaseUrl, 1, createLog('test', 'silent'))
  try {
    const columns = await db.query<{ table: string; column: string } & Column>(`
      select c.relname as "table", a.attname as "column", not a.attnotnull as "isNullable",
             a.atthasdef or a.attidentity <> '' as "hasDefault",
             case when t.typelem <> 0 and t.typlen = -1 then e.typname || '[]' else t.typname end as type
        from pg_class c
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        join pg_type t on t.oid = a.atttypid
        left join pg_type e on e.oid = t.typelem
       where c.relnamespace = current_schema()::regnamespace
         and c.relkind in ('r', 'p')
       order by c.relname, a.attnum`)
    // Indexes on expressions and partial indexes can't be declared in a Prisma schema, so they aren't compared.
    const keys = await db.query<{ table: string } & Key>(`
      select c.relname as "table",
             case when i.indisprimary then 'primary key' when i.indisunique then 'unique' else 'index' end as kind,
             (select string_agg(a.attname, ', ' order by k.ordinal)
                from unnest(i.indkey[0:i.indnkeyatts - 1]) with ordinality as k (attnum, ordinal)
                join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum) as columns
        from pg_index i
        join pg_class c on c.oid = i.indrelid
       where c.relnamespace = current_schema()::regnamespace
         and i.indexprs is null
         and i.indpred is null`)
    const tables = new Map<string, Table>()
    for (const { table, column, ...details } of columns.rows) {
      if (SHARED_TABLES.has(table)) continue
      const known = tables.get(table) ?? { columns: new Map(), keys: [] }
      tables.set(table, known)
      known.columns.set(column, details)
    }
    for (const { table, ...key } of keys.rows) tables.get(table)?.keys.push(key)
    return tables
  } finally {
    await db.end()
  }
}
