// Compares a service's schema.prisma with the database that the SQL migrations created, in both directions. (`prisma migrate
// diff` would need the schema engine, which is a download.)
//
//   listSchemaDifferences({ databaseUrl, schemaPath }) → Promise<string[]>   a sentence per difference
//   node tools/prisma-schema-check.mjs <databaseUrl> <schemaPath>            prints them; exit code 1 if any
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** Tables of the service kit, which are not used through Prisma. */
const SHARED_TABLES = new Set([
  'projection_replay',
  'followed_sources',
  'outbox',
  'outbox_relay',
  'projection_position',
  'recent_changes',
  'recent_changes_horizon',
  'shared_migrations',
  'migrations',
])

/** PostgreSQL's column type for each Prisma type and native type. */
const COLUMN_TYPES = {
  String: 'text',
  Boolean: 'bool',
  Int: 'int4',
  BigInt: 'int8',
  Float: 'float8',
  Decimal: 'numeric',
  DateTime: 'timestamp',
  Json: 'jsonb',
  Bytes: 'bytea',
  '@db.SmallInt': 'int2',
  '@db.Integer': 'int4',
  '@db.BigInt': 'int8',
  '@db.Timestamptz': 'timestamptz',
  '@db.Timestamp': 'timestamp',
  '@db.Date': 'date',
  '@db.Uuid': 'uuid',
  '@db.Json': 'json',
  '@db.JsonB': 'jsonb',
  '@db.Text': 'text',
  '@db.Inet': 'inet',
  '@db.Citext': 'citext',
}

/** Lists the differences between schema and database. Empty if they agree. */
export async function listSchemaDifferences({ databaseUrl, schemaPath }) {
  const declared = parseSchema(readFileSync(schemaPath, 'utf8'))
  const actual = await readDatabase(databaseUrl)
  const differences = []
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

function compareTables(name, declared, actual) {
  const differences = []
  const differ = (column, what, inSchema, inDatabase) =>
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

const allowed = (isNullable) => (isNullable ? 'allowed' : 'not allowed')
const present = (hasDefault) => (hasDefault ? 'present' : 'absent')

/** Parses the models of a schema into tables by name. Supports only the syntax that our schemas use. */
function parseSchema(text) {
  const blocks = [...text.matchAll(/^(model|enum|type|view)\s+(\w+)\s*\{([^}]*(?:\{\}[^}]*)*)^\}/gm)]
  const others = blocks.filter(([, kind]) => kind !== 'model')
  if (others.length > 0) throw new Error(`the check can't compare ${others[0][1]} ${others[0][2]}`)
  const models = new Set(blocks.map(([, , name]) => name))
  return new Map(blocks.map(([, , model, body]) => parseModel(model, body, models)))
}

function parseModel(model, body, models) {
  const table = { model, columns: new Map(), keys: [] }
  const columnOf = new Map()
  const lines = body.split('\n').map((line) => line.replace(/\/\/.*$/, '').trim())
  for (const line of lines.filter((text) => /^\w/.test(text))) {
    const [, field, type, suffix, attributes] = /^(\w+)\s+(\w+)(\?|\[\])?\s*(.*)$/.exec(line) ?? []
    if (!field) throw new Error(`model ${model}: the check can't parse "${line}"`)
    if (models.has(type)) continue
    const native = /@db\.\w+/.exec(attributes)?.[0]
    const columnType = COLUMN_TYPES[native ?? type]
    if (!columnType) throw new Error(`model ${model}: the check doesn't know the type of "${line}"`)
    const column = /@map\("(\w+)"\)/.exec(attributes)?.[1] ?? field
    columnOf.set(field, column)
    table.columns.set(column, {
      type: suffix === '[]' ? `${columnType}[]` : columnType,
      isNullable: suffix === '?',
      hasDefault: /@default\(/.test(attributes),
    })
    if (/@id\b/.test(attributes)) table.keys.push({ kind: 'primary key', columns: column })
    if (/@unique\b/.test(attributes)) table.keys.push({ kind: 'unique', columns: column })
  }
  const kinds = { id: 'primary key', unique: 'unique', index: 'index' }
  for (const line of lines) {
    const [, attribute, fields] = /^@@(id|unique|index)\(\[([^\]]*)\]/.exec(line) ?? []
    if (!attribute) continue
    const columns = fields.split(',').map((field) => columnOf.get(field.trim()) ?? field.trim())
    table.keys.push({ kind: kinds[attribute], columns: columns.join(', ') })
  }
  return [/@@map\("(\w+)"\)/.exec(body)?.[1] ?? model, table]
}

async function readDatabase(databaseUrl) {
  // The workspace's root has no dependencies; the kit has the driver.
  const require = createRequire(new URL('../libs/service-kit/package.json', import.meta.url))
  const { Client } = require('pg')
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const columns = await client.query(`
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
    const keys = await client.query(`
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
    const tables = new Map()
    for (const { table, column, ...details } of columns.rows) {
      if (SHARED_TABLES.has(table)) continue
      if (!tables.has(table)) tables.set(table, { columns: new Map(), keys: [] })
      tables.get(table).columns.set(column, details)
    }
    for (const { table, ...key } of keys.rows) tables.get(table)?.keys.push(key)
    return tables
  } finally {
    await client.end()
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [databaseUrl, schemaPath] = process.argv.slice(2)
  const differences = await listSchemaDifferences({ databaseUrl, schemaPath })
  for (const difference of differences) console.log(difference)
  process.exitCode = differences.length > 0 ? 1 : 0
}
