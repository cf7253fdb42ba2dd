import type { AnyEndpoint } from '@tms/contracts'
import type { Answer, ApiClient } from '@tms/test-kit'
import type { Fields } from '../samples/sample.ts'
import { anyPicture } from './pictures.ts'

/** Sends a request to an endpoint as a client program does, with a picture if it accepts a file. */
export function sendRequest(client: ApiClient, endpoint: AnyEndpoint, fields: Fields): Promise<Answer> {
  const { method, path, prefix, pathParameters, body } = endpoint
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(fields[name] ?? ''))
  const others = Object.entries(fields).filter(([name]) => !(name in pathParameters))
  if (body !== 'file') return client.request(method, filled, others, { prefix })
  const query = others.length > 0 ? `?${new URLSearchParams(others)}` : ''
  return client.uploadTo(prefix + filled + query, anyPicture)
}
