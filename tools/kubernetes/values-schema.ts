// The JSON schema of the chart's values, from values.yaml: the types of the defaults, with the comments as descriptions.
import { isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml'
import { listKeys, type SettingsByService, type ValueSchema } from './settings.ts'

const text = { type: 'string' }
/** Labels and annotations: Kubernetes accepts only strings, and would reject a number only after the migrations. */
const texts = { type: 'object', additionalProperties: text }
const objects = { type: 'array', minItems: 1, items: { type: 'object' } }
const port = { type: 'integer', minimum: 1, maximum: 65_535 }

/** Values whose defaults don't tell which others are valid. */
const SCHEMAS: Readonly<Record<string, object>> = {
  'image.pullPolicy': { enum: ['Always', 'IfNotPresent', 'Never'] },
  'secrets.external.storeKind': { enum: ['SecretStore', 'ClusterSecretStore'] },
  'ingress.annotations': texts,
  'migrations.deadlineSeconds': { type: 'integer', minimum: 60 },
}

export function createValuesSchema(valuesFile: string, settingsByService: SettingsByService): object {
  const known = {
    ...SCHEMAS,
    settings: settingsSchema(settingsByService),
    'secrets.values': secretsSchema(settingsByService),
  }
  const { contents } = parseDocument(valuesFile)
  if (!isMap(contents)) throw new Error('values.yaml has no values')
  const { properties, ...schema } = schemaOfMap(contents, '', known)
  const isEnabled = (part: string, value: boolean) => ({
    properties: { [part]: { properties: { enabled: { const: value } } } },
  })
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...schema,
    // Helm adds `global` itself.
    properties: { ...properties, global: { type: 'object' } },
    anyOf: [isEnabled('keda', false), isEnabled('autoscaling', true)],
  }
}

type Known = Readonly<Record<string, object>>

function schemaOfMap({ items, commentBefore }: YAMLMap, path: string, known: Known) {
  const properties = items.map(({ key, value }, index) => {
    if (!isScalar(key)) throw new Error(`${path} has a key that is no text`)
    const name = String(key.value)
    const comment = key.commentBefore ?? (index === 0 ? commentBefore : null)
    const description = comment?.split('\n')[0]?.trim()
    const schema = schemaOf(value, path === '' ? name : `${path}.${name}`, known)
    return [name, { ...schema, ...(description ? { description } : {}) }]
  })
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(properties) }
}

function schemaOf(node: unknown, path: string, known: Known): object {
  const special = known[path]
  if (special) return special
  if (path.endsWith('.resources')) return { type: 'object', required: ['requests', 'limits'] }
  if (path.startsWith('networkPolicies.ports.')) return { type: 'array', minItems: 1, items: port }
  if (isSeq(node)) return node.items.length === 0 ? { type: 'array' } : objects
  if (isMap(node)) return node.items.length === 0 ? texts : schemaOfMap(node, path, known)
  const value = isScalar(node) ? node.value : null
  if (typeof value === 'boolean') return { type: 'boolean' }
  return typeof value === 'number' ? { type: 'integer', minimum: 1 } : text
}

function settingsSchema(settingsByService: SettingsByService): object {
  const settings = listKeys(settingsByService, 'setting')
  return {
    type: 'object',
    additionalProperties: false,
    required: settings.filter(({ isRequired }) => isRequired).map(({ key }) => key),
    properties: Object.fromEntries(
      settings.map(({ key, description, schema }) => [key, settingSchema(schema, description)]),
    ),
  }
}

function secretsSchema(settingsByService: SettingsByService): object {
  const secrets = listKeys(settingsByService, 'secret')
  return {
    type: 'object',
    additionalProperties: false,
    // None, or all required keys.
    anyOf: [
      { maxProperties: 0 },
      { required: secrets.filter(({ isRequired }) => isRequired).map(({ key }) => key) },
    ],
    properties: Object.fromEntries(secrets.map(({ key, description }) => [key, { ...text, description }])),
  }
}

/** The schema of a setting in a file of values: its type, or the text of an environment variable. */
function settingSchema(schema: ValueSchema, description: string): object {
  const { type, enum: choices, minimum, maximum, pattern } = schema
  const numeric = type === 'integer' || type === 'number'
  // Bounds beyond the safe integers are no real limits.
  const isBound = (bound: number | undefined) =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER
  if (choices) return { enum: choices, description }
  if (type === 'boolean') return { enum: [true, false, 'true', 'false'], description }
  return {
    type: numeric ? [type, 'string'] : ['string', 'integer'],
    ...(numeric && isBound(minimum) ? { minimum } : {}),
    ...(numeric && isBound(maximum) ? { maximum } : {}),
    // Helm's regular expressions support no lookaheads.
    ...(pattern !== undefined && !pattern.includes('(?') ? { pattern } : {}),
    description,
  }
}
