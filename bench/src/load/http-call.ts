import { type Agent, type AgentOptions, request } from 'node:http'
import { createGunzip } from 'node:zlib'
import { nowMs } from '../processes/clock.ts'

/**
 * For idle connections: clients probe them after 45 s or never, while Node's agents probe every second. Most of the load would
 * be probes.
 */
export const LIKE_CLIENTS: AgentOptions = { keepAlive: true, keepAliveMsecs: 45_000 }

/** One HTTP request, as plain data. */
export interface Call {
  readonly port: number
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Reply {
  readonly status: number
  readonly body: string
  /** Length of the body on the wire. */
  readonly bytes: number
  /** From before sending to the last byte. */
  readonly ms: number
}

/** Sends a request to this machine. Rejects if the connection breaks; any status is a reply. */
export function send(agent: Agent, { port, method, path, headers, body }: Call): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const startedAt = nowMs()
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
      let text = ''
      let bytes = 0
      const isCompressed = response.headers['content-encoding'] === 'gzip'
      const stream = isCompressed ? response.pipe(createGunzip()) : response
      if (isCompressed)
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
        })
      stream.setEncoding('utf8')
      stream.on('data', (chunk: string) => {
        text += chunk
        if (!isCompressed) bytes += Buffer.byteLength(chunk)
      })
      stream.once('end', () =>
        resolve({ status: response.statusCode ?? 0, body: text, bytes, ms: nowMs() - startedAt }),
      )
      stream.once('error', reject)
      response.once('error', reject)
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** Throws unless the reply is a success. */
export function expectSuccess({ status, body }: Reply): string {
  if (status !== 200) throw new Error(`answered ${status}: ${body.slice(0, 300)}`)
  return body
}

/** A call with form fields, as API clients send them. */
export function formCall(
  port: number,
  path: string,
  authorization: string,
  fields: Readonly<Record<string, string>>,
): Call {
  const body = new URLSearchParams(fields).toString()
  const headers = {
    authorization,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'bench',
  }
  return { port, method: 'POST', path, headers, body }
}
