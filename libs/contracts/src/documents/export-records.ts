import { z } from 'zod'
import { archiveManifest } from '../exports/archive.ts'
import { type ExportPart, exportedFile, exportParts, recordsEnd } from '../exports/records.ts'
import { messagingRecord } from '../messaging/export-records.ts'
import { realmRecord } from '../realm/export-records.ts'
import { usersRecord } from '../users/export-records.ts'
import { markdownTable } from './markdown-table.ts'

/** The part of JSON Schema that the declarations use. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
}

const records = {
  realm: realmRecord,
  users: usersRecord,
  messaging: messagingRecord,
} as const satisfies Record<ExportPart, { readonly options: readonly z.ZodType[] }>

/** The fields of every record of an export, as Markdown, from the declarations that write and read them. */
export function exportRecordsDocument(): string {
  const sections = exportParts.flatMap((part) => [
    `## ${part}.ndjson`,
    ...[...records[part].options, exportedFile].map(describeRecord),
  ])
  return `${[
    '# Records of an export',
    'Generated from the declarations in `libs/contracts/src/*/export-records.ts`; [exports.md](exports.md) describes the archive. Every record has a `kind` and all fields of that kind; other fields are refused. Kinds come in this order.',
    '## manifest.json',
    tableOf(schemaOf(archiveManifest), []),
    ...sections,
    '## The end',
    'Every file of records ends with one of the kind `end`.',
    tableOf(schemaOf(recordsEnd), ['kind']),
  ].join('\n\n')}\n`
}

const schemaOf = (declared: z.ZodType): Schema =>
  z.toJSONSchema(declared, { unrepresentable: 'any', io: 'input' }) as Schema

function describeRecord(declared: z.ZodType): string {
  const schema = schemaOf(declared)
  const kind = String(schema.properties?.['kind']?.const)
  return [`### ${kind}`, schema.description ?? '', tableOf(schema, ['kind'])]
    .filter((text) => text !== '')
    .join('\n\n')
}

function tableOf({ properties = {} }: Schema, except: readonly string[]): string {
  const rows = Object.entries(properties)
    .filter(([name]) => !except.includes(name))
    .map(([name, field]) => [`\`${name}\``, typeOf(field), field.description ?? ''])
  return markdownTable(['field', 'type', 'meaning'], rows)
}

/** A type in a few words; nested objects list the names of their fields. */
function typeOf(schema: Schema): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ')
  if (schema.prefixItems) return `list of ${schema.prefixItems.map(typeOf).join(', ')}`
  if (schema.items) return `list of ${typeOf(schema.items)}`
  if (schema.properties) return `object: ${fieldsOf(schema.properties)}`
  return schema.type === undefined ? 'any' : [schema.type].flat().join(' or ')
}

function fieldsOf(properties: Readonly<Record<string, Schema>>): string {
  const fields = Object.entries(properties)
  return fields.length > 10
    ? `${fields.length} fields`
    : fields.map(([name, field]) => `\`${name}\` (${typeOf(field)})`).join(', ')
}
