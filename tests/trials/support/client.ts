// A client of the API for trials.
import { Buffer } from 'node:buffer'
import { type IncomingHttpHeaders, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** The content of every uploaded file: a picture of one pixel. */
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** Rate limits count per minute, so the second wait at the latest is enough unless others use the account too. */
const MAX_WAITS = 3

interface RequestOptions {
  auth?: string
  form?: Record<string, string>
  /** Uploads the picture with this name. */
  file?: string
  /** The host to address, if not the organization's. */
  to?: string
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

type Send = (method: string, path: string, options?: RequestOptions) => Promise<Answer>

/** Calls an operation. `T` are the fields of its success that the trial uses. */
export type Call = <T>(method: string, path: string, options?: RequestOptions) => Promise<T>

export interface Client {
  /** Returns any answer. */
  send: Send
  /** Waits as long as the API says after hitting the rate limit, so that fast and slow machines get the same answers. */
  sendWithinLimits: Send
  /** Does so too, returns the fields of a success, and throws for errors. */
  call: Call
}

interface ClientOptions {
  address?: string
  port: number
  /** The host of the organization. */
  host: string
  /** Whether each request uses a connection of its own. */
  isFresh?: boolean
  wait?: (ms: number) => Promise<unknown>
  log?: (line: string) => void
}

/** A client of the API at an address, by default for the organization of `host`. */
export function createClient(options: ClientOptions): Client {
  const { address = '127.0.0.1', port, host, isFresh = false, wait = sleep, log = console.log } = options

  /** Uses `node:http`, since `fetch` can't set the Host header, which selects the organization. */
  const send: Send = async (method, path, { auth, form, file, to = host } = {}) => {
    const { headers, bytes } = await encode(form, file)
    const sent = request({
      ...{ host: address, port, method, path, ...(isFresh && { agent: false }) },
      headers: { host: to, ...(auth !== undefined && { authorization: auth }), ...headers },
    })
    return new Promise((resolve, reject) => {
      sent.on('response', (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
        )
        answer.on('error', reject)
      })
      sent.on('error', reject)
      sent.end(bytes)
    })
  }

  const sendWithinLimits: Send = async (method, path, requestOptions) => {
    for (let waits = 0; ; waits++) {
      const answer = await send(method, path, requestOptions)
      if (answer.status !== 429 || waits === MAX_WAITS) return answer
      const seconds = Math.ceil(Number(answer.headers['retry-after'] ?? 1))
      log(`  rate limit hit: retrying ${method} ${path} in ${seconds} s`)
      await wait(seconds * 1_000)
    }
  }

  const call: Call = async (method, path, requestOptions) => {
    const { status, body } = await sendWithinLimits(method, `/api/v1${path}`, requestOptions)
    if (status !== 200) throw new Error(`${method} ${path} answered ${status}: ${body.toString()}`)
    return JSON.parse(body.toString())
  }
  return { send, sendWithinLimits, call }
}

/** The body of a request and its headers. */
async function encode(form: Record<string, string> | undefined, file: string | undefined) {
  if (form === undefined && file === undefined) return { headers: {}, bytes: Buffer.alloc(0) }
  const encoded = new Response(file === undefined ? new URLSearchParams(form) : withPicture(file))
  const bytes = Buffer.from(await encoded.arrayBuffer())
  const type = encoded.headers.get('content-type') ?? ''
  return { headers: { 'content-type': type, 'content-length': bytes.length }, bytes }
}

function withPicture(name: string): FormData {
  const form = new FormData()
  form.append('file', new Blob([PICTURE], { type: 'image/png' }), name)
  return form
}
