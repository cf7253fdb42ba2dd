// A Prisma schema's tables, for comparing them with a database.

export interface Column {
  type: string
  isNullable: boolean
  hasDefault: boolean
}

export interface Key {
  kind: 'primary key' | 'unique' | 'index'
  columns: string
}

export interface Table {
  columns: Map<string, Column>
  keys: Key[]
}

/** PostgreSQL's column type for each Prisma type and native type. */
const COLUMN_TYPES: Record<string, string> = {
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

/** Parses the models of a schema into tables by name. Supports only the syntax that our schemas use. */
export function parseSchema(text: string): Map<string, Table & { model: string }> {
  const blocks = [...text.matchAll(/^(model|enum|type|view)\s+(\w+)\s*\{([^}]*(?:\{\}[^}]*)*)^\}/gm)]
  const other = blocks.find(([, kind]) => kind !== 'model')
  if (other) throw new Error(`the check can't compare ${other[1]} ${other[2]}`)
  const models = new Set(blocks.map(([, , name]) => name))
  return new Map(blocks.map(([, , model = '', body = '']) => parseModel(model, body, models)))
}

function parseModel(
  model: string,
  body: string,
  models: ReadonlySet<string | undefined>,
): [name: string, table: Table & { model: string }] {
  const table: Table & { model: string } = { model, columns: new Map(), keys: [] }
  const columnOf = new Map<string, string>()
  const lines = body.split('\n').map((line) => line.replace(/\/\/.*$/, '').trim())
  for (const line of lines.filter((text) => /^\w/.test(text))) {
    const [, field, type = '', suffix, attributes = ''] = /^(\w+)\s+(\w+)(\?|\[\])?\s*(.*)$/.exec(line) ?? []
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
  const kinds: Record<string, Key['kind']> = { id: 'primary key', unique: 'unique', index: 'index' }
  for (const line of lines) {
    const [, attribute = '', fields = ''] = /^@@(id|unique|index)\(\[([^\]]*)\]/.exec(line) ?? []
    const kind = kinds[attribute]
    if (kind === undefined) continue
    const columns = fields.split(',').map((field) => columnOf.get(field.trim()) ?? field.trim())
    table.keys.push({ kind, columns: columns.join(', ') })
  }
  return [/@@map\("(\w+)"\)/.exec(body)?.[1] ?? model, table]
}
