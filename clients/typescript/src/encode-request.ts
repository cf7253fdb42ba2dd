import type { Operation } from './operation.ts'

type Values = Readonly<Record<string, unknown>>

/** Path, with the query, and body of a request. */
export interface EncodedRequest {
  readonly path: string
  readonly body: URLSearchParams | FormData | null
}

/**
 * Puts parameters into the path, the query of GET and DELETE, or the form. Strings are sent as they are and everything else
 * as JSON (API document, introduction); undefined parameters are left out. Throws a TypeError if a path parameter is
 * missing.
 */
export function encodeRequest(operation: Operation, parameters: Values): EncodedRequest {
  const inPath = new Set<string>()
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name]
    if (value === undefined || value === '') throw new TypeError(`${name} is missing`)
    inPath.add(name)
    return encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))
  })
  const entries = Object.entries(parameters).filter(
    ([name, value]) => value !== undefined && !inPath.has(name),
  )
  const files = entries.filter((entry): entry is [string, Blob] => entry[1] instanceof Blob)
  const fields = entries
    .filter(([, value]) => !(value instanceof Blob))
    .map(([name, value]): [string, string] => [name, encodeValue(operation, name, value)])
  if (operation.method === 'GET' || operation.method === 'DELETE') {
    return { path: fields.length > 0 ? `${path}?${new URLSearchParams(fields)}` : path, body: null }
  }
  return { path, body: files.length > 0 ? createFormData(fields, files) : new URLSearchParams(fields) }
}

function encodeValue({ json }: Operation, name: string, value: unknown): string {
  return typeof value === 'string' && !json?.includes(name) ? value : JSON.stringify(value)
}

/** Files come last: servers read a form in its order. */
function createFormData(fields: readonly [string, string][], files: readonly [string, Blob][]): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  for (const [name, file] of files) form.append(name, file)
  return form
}
