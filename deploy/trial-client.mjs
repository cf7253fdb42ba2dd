// A client of the API for trials.
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** The content of every uploaded file: a picture of one pixel. */
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** Rate limits count per minute, so the second wait at the latest is enough unless others use the account too. */
const MAX_WAITS = 3

/**
 * A client of the API at an address, by default for the organization of `host`. `send` returns any answer.
 * `sendWithinLimits` waits as long as the API says after hitting the rate limit, so that fast and slow machines get the same
 * answers. `call` does so too, returns the fields of a success, and throws for errors. With `isFresh` each request uses a
 * connection of its own.
 */
export function createClient({
  address = '127.0.0.1',
  port,
  host,
  isFresh = false,
  wait = sleep,
  log = console.log,
}) {
  /** Uses `node:http`, since `fetch` can't set the Host header, which selects the organization. */
  const send = async (method, path, { auth, form, file, to = host } = {}) => {
    const body = file ? new FormData() : form ? new URLSearchParams(form) : null
    if (file) body.append('file', new Blob([PICTURE], { type: 'image/png' }), file)
    const encoded = new Response(body)
    const bytes = Buffer.from(await encoded.arrayBuffer())
    const headers = { host: to, ...(auth && { authorization: auth }) }
    if (body)
      Object.assign(headers, {
        'content-type': encoded.headers.get('content-type'),
        'content-length': bytes.length,
      })
    const options = { host: address, port, method, path, headers, ...(isFresh && { agent: false }) }
    return new Promise((resolve, reject) => {
      const sent = request(options, (answer) => {
        const chunks = []
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.on('end', () =>
          resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) }),
        )
        answer.on('error', reject)
      })
      sent.on('error', reject)
      sent.end(bytes)
    })
  }

  const sendWithinLimits = async (method, path, options) => {
    for (let waits = 0; ; waits++) {
      const answer = await send(method, path, options)
      if (answer.status !== 429 || waits === MAX_WAITS) return answer
      const seconds = Math.ceil(Number(answer.headers['retry-after'] ?? 1))
      log(`  rate limit hit: retrying ${method} ${path} in ${seconds} s`)
      await wait(seconds * 1_000)
    }
  }

  const call = async (method, path, options) => {
    const { status, body } = await sendWithinLimits(method, `/api/v1${path}`, options)
    if (status !== 200) throw new Error(`${method} ${path} answered ${status}: ${body.toString()}`)
    return JSON.parse(body.toString())
  }
  return { send, sendWithinLimits, call }
}
