import { RefusedError } from './refused-error.ts'

/** Texts are sent as they are, everything else as JSON; what is undefined is left out. */
export type Parameters = Readonly<Record<string, unknown>>
export type Answer = Record<string, unknown>
export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

export interface Call {
  /** For the error: what was to be done. Default: method and path. */
  what?: string
  credentials?: { email: string; apiKey: string }
  parameters?: Parameters
  signal?: AbortSignal
}

/** Calls an endpoint; `path` is below /api/v1. Throws RefusedError unless it succeeds. */
export async function callApi(
  baseUrl: string,
  method: Method,
  path: string,
  call: Call = {},
): Promise<Answer> {
  const { credentials, parameters = {}, signal, what = `${method} ${path}` } = call
  const url = new URL(`${baseUrl}/api/v1${path}`)
  const form = encode(parameters)
  if (method === 'GET') url.search = form.toString()
  const response = await fetch(url, {
    method,
    headers: credentials
      ? { authorization: `Basic ${btoa(`${credentials.email}:${credentials.apiKey}`)}` }
      : {},
    ...(method !== 'GET' && { body: form }),
    ...(signal && { signal }),
  })
  const text = await response.text()
  const body = parseObject(text) ?? { msg: text.slice(0, 500) }
  if (!response.ok) throw new RefusedError(what, response.status, body)
  return body
}

function encode(parameters: Parameters): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return form
}

function parseObject(text: string): Answer | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Answer) : null
  } catch {
    return null
  }
}
