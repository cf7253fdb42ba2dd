import { type IncomingMessage, type RequestOptions, request as requestByHttp } from 'node:http'
import { request as requestByHttps } from 'node:https'

const TIMEOUT_MS = 15_000

type Content =
  | { headers: Record<string, string>; json: unknown }
  | { headers: Record<string, string>; form: Record<string, string> }

/**
 * Sends a POST and returns the JSON object that comes back; throws with the answer's text for any other status than
 * 200. By `node:http`, because `fetch` lets nobody name another host than the URL's.
 */
export async function post(url: string, content: Content): Promise<Record<string, unknown>> {
  const [type, body] =
    'json' in content
      ? ['application/json', JSON.stringify(content.json)]
      : ['application/x-www-form-urlencoded', new URLSearchParams(content.form).toString()]
  const headers = {
    ...content.headers,
    'content-type': type,
    'content-length': Buffer.byteLength(body),
  }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const { status, text } = await send(url, { method: 'POST', headers, signal }, body)
  if (status !== 200) throw new Error(`POST ${url} answered ${status}: ${text.slice(0, 500)}`)
  return JSON.parse(text) as Record<string, unknown>
}

function send(url: string, options: RequestOptions, body: string): Promise<{ status: number; text: string }> {
  const request = url.startsWith('https:') ? requestByHttps : requestByHttp
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response: IncomingMessage) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      )
    })
    sent.once('error', reject)
    sent.end(body)
  })
}
