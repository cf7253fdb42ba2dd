import {
  attributesOf,
  coerceParts,
  type Document,
  isDocument,
  type Schema,
  withoutSchema,
} from './schema.rules.ts'
import { invalidValue } from './scim-errors.ts'

/** Of names and IDs that the provisioning system gives. */
const MAX_LENGTH = 255

/** What clients may say of a resource; also the attributes in an object under the schema's URN. Throws invalidValue. */
export function readDocument(body: Document, schema: Schema): Document {
  const own = Object.entries(body).flatMap(([name, value]): [string, unknown][] => {
    if (name.toLowerCase() === schema.id.toLowerCase()) return isDocument(value) ? Object.entries(value) : []
    const plain = withoutSchema(schema, name)
    return plain === null ? [] : [[plain, value]]
  })
  const writable = attributesOf(schema).filter(({ mutability }) => mutability !== 'readOnly')
  return coerceParts(writable, Object.fromEntries(own))
}

/** Null if there is none. Throws invalidValue. */
export function externalIdOf({ externalId }: Document): string | null {
  return typeof externalId === 'string' && externalId !== '' ? checkLength('externalId', externalId) : null
}

/** Returns the text. Throws invalidValue. */
export function checkLength(name: string, text: string): string {
  if (text.length > MAX_LENGTH) throw invalidValue(`'${name}' has at most ${MAX_LENGTH} characters`)
  return text
}

/** Null for no text, and an empty one. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null

/** The ID in a text; null if no resource can have it. */
export function readId(text: string): number | null {
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null
}
