// Compares a service's schema.prisma with its database as the SQL migrations made it, in both directions.
// (`prisma migrate diff` would need the schema engine, which is a download.)
//
//   listSchemaDifferences({ databaseUrl, schemaPath }) → Promise<string[]>   one plain sentence per difference
//   node tools/prisma-schema-check.mjs <databaseUrl> <schemaPath>            prints them; exit code 1 if any
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** Every service has these from the kit; nobody reaches them through Prisma. */
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

/** PostgreSQL's name of the column type of each Prisma type, without and with a native type. */
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

/** Lists what the schema says and the database doesn't have, and the other way round. Empty when they agree. */
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
  for (const [column, said] of declared.columns) {
    const real = actual.columns.get(column)
    if (!real) {
      differences.push(`${name}.${column} is in the schema but not in the database`)
      continue
    }
    if (said.type !== real.type) differ(column, 'the type', said.type, real.type)
    if (said.isNullable !== real.isNullable)
      differ(column, 'null', allowed(said.isNullable), allowed(real.isNullable))
    if (said.hasDefault !== real.hasDefault)
      differ(column, 'a default', present(said.hasDefault), present(real.hasDefault))
  }
  for (const column of actual.columns.keys()) {
    if (!declared.columns.has(column))
      differences.push(`${name}.${column} is in the database but not in the schema`)
  }
  for (const kind of ['primary key', 'unique', 'index']) {
    const said = new Set(declared.keys.filter((key) => key.kind === kind).map((key) => key.columns))
    const real = new Set(actual.keys.filter((key) => key.kind === kind).map((key) => key.columns))
    for (const columns of said) {
      if (!real.has(columns))
        differences.push(`${name}: ${kind} (${columns}) is in the schema but not in the database`)
    }
    for (const columns of real) {
      if (!said.has(columns))
        differences.push(`${name}: ${kind} (${columns}) is in the database but not in the schema`)
    }
  }
  return differences
}

const allowed = (isNullable) => (isNullable ? 'allowed' : 'not allowed')
const present = (hasDefault) => (hasDefault ? 'present' : 'absent')

/** Tables by name, from the models of a schema. Understands the part of the language that our schemas use. */
function parseSchema(text) {
  const blocks = [...text.matchAll(/^(model|enum|type|view)\s+(\w+)\s*\{([^}]*(?:\{\}[^}]*)*)^\}/gm)]
  const others = blocks.filter(([, kind]) => kind !== 'model')
  if (others.length > 0)
    throw new Error(`the check doesn't know how to compare ${others[0][1]} ${others[0][2]}`)
  const models = new Set(blocks.map(([, , name]) => name))
  return new Map(blocks.map(([, , model, body]) => parseModel(model, body, models)))
}

function parseModel(model, body, models) {
  const table = { model, columns: new Map(), keys: [] }
  const columnOf = new Map()
  const lines = body.split('\n').map((line) => line.replace(/\/\/.*$/, '').trim())
  for (const line of lines.filter((text) => /^\w/.test(text))) {
    const [, field, type, suffix, attributes] = /^(\w+)\s+(\w+)(\?|\[\])?\s*(.*)$/.exec(line) ?? []
    if (!field) throw new Error(`model ${model}: the check doesn't understand "${line}"`)
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
  // The workspace's root depends on nothing; the kit has the driver.
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
    // Indexes over expressions or a part of the rows can't be said in a Prisma schema, so they aren't compared.
    const keys = await client.query(`
      select c.relname as "table",
             case when i.indisprimary then 'primary key' when i.indisunique then 'unique' else 'index' end as kind,
             (select string_agg(a.attname, ', ' order by k.place)
                from unnest(i.indkey[0:i.indnkeyatts - 1]) with ordinality as k (attnum, place)
                join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum) as columns
        from pg_index i
        join pg_class c on c.oid = i.indrelid
       where c.relnamespace = current_schema()::regnamespace
         and i.indexprs is null
         and i.indpred is null`)
    const tables = new Map()
    for (const { table, column, ...facts } of columns.rows) {
      if (SHARED_TABLES.has(table)) continue
      if (!tables.has(table)) tables.set(table, { columns: new Map(), keys: [] })
      tables.get(table).columns.set(column, facts)
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
