import { invalidValue } from './scim-errors.ts'

/** A resource, or a part of one, as JSON. */
export type Document = { readonly [name: string]: unknown }

/** An attribute as `/Schemas` describes it (RFC 7643, 7). */
export interface Attribute {
  readonly name: string
  readonly type: 'string' | 'boolean' | 'complex' | 'dateTime' | 'reference'
  readonly description: string
  readonly multiValued: boolean
  readonly required: boolean
  readonly caseExact: boolean
  readonly mutability: 'readOnly' | 'readWrite' | 'immutable'
  readonly returned: 'always' | 'default'
  readonly uniqueness: 'none' | 'server'
  readonly canonicalValues?: readonly string[]
  readonly referenceTypes?: readonly string[]
  readonly subAttributes?: readonly Attribute[]
}

export interface Schema {
  readonly id: string
  readonly name: 'User' | 'Group'
  readonly description: string
  readonly attributes: readonly Attribute[]
}

const attribute = (
  name: string,
  description: string,
  { type = 'string', ...rest }: Partial<Omit<Attribute, 'name' | 'description'>> = {},
): Attribute => ({
  ...{ name, type, description },
  ...{ multiValued: false, required: false, caseExact: false },
  ...{ mutability: 'readWrite', returned: 'default', uniqueness: 'none' },
  ...rest,
})

/** Those of every resource, which no schema lists. */
const commonAttributes: readonly Attribute[] = [
  attribute('id', 'The ID that the service gave', {
    ...{ caseExact: true, mutability: 'readOnly', returned: 'always', uniqueness: 'server' },
  }),
  attribute('externalId', 'The ID that the provisioning system gave', { caseExact: true }),
  attribute('schemas', 'The schemas of the resource', {
    ...{ type: 'reference', multiValued: true, mutability: 'readOnly', returned: 'always' },
  }),
  attribute('meta', 'What the service knows of the resource', {
    type: 'complex',
    mutability: 'readOnly',
    subAttributes: [
      attribute('resourceType', 'The kind of resource', { caseExact: true, mutability: 'readOnly' }),
      attribute('created', 'When it was created', { type: 'dateTime', mutability: 'readOnly' }),
      attribute('lastModified', 'When it was created', { type: 'dateTime', mutability: 'readOnly' }),
      attribute('location', 'Its address', { type: 'reference', caseExact: true, mutability: 'readOnly' }),
    ],
  }),
]

export const ROLES = ['owner', 'administrator', 'moderator', 'member', 'guest'] as const

export const userSchema: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  name: 'User',
  description: 'A person with an account',
  attributes: [
    attribute('userName', 'The name in the provisioning system; the e-mail address if it is one', {
      ...{ required: true, uniqueness: 'server' },
    }),
    attribute('name', 'Parts of the full name; used without a display name', {
      type: 'complex',
      subAttributes: [
        attribute('formatted', 'The full name'),
        attribute('givenName', 'The full name up to its first space'),
        attribute('familyName', 'The rest of the full name'),
      ],
    }),
    attribute('displayName', 'The full name'),
    attribute('emails', 'The e-mail address: the primary one, else that of work, else the first', {
      type: 'complex',
      multiValued: true,
      subAttributes: [
        attribute('value', 'The address', { uniqueness: 'server' }),
        attribute('type', 'The kind of address', { canonicalValues: ['work'] }),
        attribute('primary', 'Whether it is the one that is used', { type: 'boolean' }),
      ],
    }),
    attribute('active', 'Whether the account is active', { type: 'boolean' }),
    attribute('role', 'The role in the organization; provisioning neither gives nor takes that of an owner', {
      canonicalValues: ROLES,
    }),
  ],
}

export const groupSchema: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  name: 'Group',
  description: 'A user group',
  attributes: [
    attribute('displayName', 'The name of the group', { required: true, uniqueness: 'server' }),
    attribute('members', 'People in the group', {
      type: 'complex',
      multiValued: true,
      subAttributes: [
        attribute('value', 'The ID of a person', { caseExact: true, mutability: 'immutable' }),
        attribute('type', 'The kind of member', { mutability: 'immutable', canonicalValues: ['User'] }),
      ],
    }),
  ],
}

const fold = (name: string): string => name.toLowerCase()

/** Names of attributes ignore case. */
export const findAttribute = (attributes: readonly Attribute[], name: string): Attribute | null =>
  attributes.find((one) => fold(one.name) === fold(name)) ?? null

export const attributesOf = (schema: Schema): readonly Attribute[] => [
  ...commonAttributes,
  ...schema.attributes,
]

/** A name without the URN of the schema before it. Null for a name of another schema. */
export function withoutSchema(schema: Schema, name: string): string | null {
  const prefix = `${schema.id}:`
  if (fold(name).startsWith(fold(prefix))) return name.slice(prefix.length)
  return fold(name).startsWith('urn:') ? null : name
}

/**
 * A value as the attribute takes it; null if there is none. Unknown sub-attributes are left out. Booleans may be texts,
 * as Microsoft Entra sends them. Throws invalidValue.
 */
export function coerce(attribute: Attribute, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (!attribute.multiValued) return coerceOne(attribute, value)
  const list = Array.isArray(value) ? value : [value]
  return list.filter((item) => item !== null).map((item) => coerceOne(attribute, item))
}

function coerceOne(attribute: Attribute, value: unknown): unknown {
  const { name, type } = attribute
  if (type === 'boolean') return coerceBoolean(name, value)
  if (type === 'complex') {
    // A text stands for the value of an element, as some systems send it.
    const parts = attribute.multiValued && typeof value === 'string' ? { value } : value
    if (!isDocument(parts)) throw invalidValue(`'${name}' must be an object`)
    return coerceParts(attribute.subAttributes ?? [], parts)
  }
  if (typeof value !== 'string') throw invalidValue(`'${name}' must be a text`)
  return value
}

export function coerceParts(attributes: readonly Attribute[], parts: Document): Document {
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, value]) => {
      const attribute = findAttribute(attributes, name)
      const coerced = attribute && coerce(attribute, value)
      return attribute && coerced !== null ? [[attribute.name, coerced]] : []
    }),
  )
}

/** Also what Microsoft Entra sends. Null for anything else. */
export function toBoolean(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? fold(value) : ''
  return text === 'true' ? true : text === 'false' ? false : null
}

function coerceBoolean(name: string, value: unknown): boolean {
  const known = toBoolean(value)
  if (known === null) throw invalidValue(`'${name}' must be true or false`)
  return known
}

export const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
