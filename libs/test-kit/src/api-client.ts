import { Agent, request as sendRequest } from 'node:http'
import {
  type AnyEndpoint,
  API_PREFIX,
  type EndpointInput,
  type EndpointOutput,
  endpoints,
  type Parameter,
} from '@tms/contracts'

/** An answer of the API. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON body; empty if the body isn't JSON. */
  readonly body: Record<string, unknown>
  /** The unparsed body. */
  readonly text: string
}

export interface Account {
  readonly userId: number
  readonly email: string
  readonly apiKey: string
}

/** A file that a client uploads. */
export interface UploadedFile {
  readonly name: string
  readonly content: string | Uint8Array<ArrayBuffer>
  /** Its MIME type. */
  readonly type?: string
}

interface RequestOptions {
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal
}

/** A request to the API and its answer. */
export interface HttpExchange {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly answer: Answer
}

/** An error answer where a success was expected. */
export class ApiError extends Error {
  readonly answer: Answer
  constructor(name: string, answer: Answer) {
    super(`${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    this.answer = answer
  }
}

/** Idle connections don't keep a test from ending. */
const agent = new Agent({ keepAlive: true })

/** One account's use of the API, as a client program would: HTTP Basic and form fields. */
export class ApiClient {
  readonly baseUrl: string
  readonly account: Account | null
  /** The host to address, if it differs from the URL's. */
  readonly host: string | null
  readonly #onAnswer: (exchange: HttpExchange) => void

  /**
   * `onAnswer` is called with every answer to every account. Requests by `fetch`, which can't set a Host header, send
   * `host` as a proxy does: the gateway must trust proxies.
   */
  constructor(
    baseUrl: string,
    account: Account | null,
    onAnswer: (exchange: HttpExchange) => void = () => {},
    host: string | null = null,
  ) {
    this.baseUrl = baseUrl
    this.account = account
    this.host = host
    this.#onAnswer = onAnswer
  }

  /** A client of another account with the same organization and the same `onAnswer`. */
  as(account: Account): ApiClient {
    return new ApiClient(this.baseUrl, account, this.#onAnswer, this.host)
  }

  get userId(): number {
    return this.account?.userId ?? 0
  }

  get email(): string {
    return this.account?.email ?? ''
  }

  /** Calls a declared endpoint. Throws `ApiError` unless it succeeds. */
  async call<E extends AnyEndpoint>(
    endpoint: E,
    input: EndpointInput<E>,
    options: RequestOptions = {},
  ): Promise<EndpointOutput<E> & { ignored_parameters_unsupported?: string[] }> {
    const answer = await this.send(endpoint, input, options)
    if (answer.status !== 200) throw new ApiError(endpoint.name, answer)
    return answer.body as EndpointOutput<E> & { ignored_parameters_unsupported?: string[] }
  }

  /** Calls a declared endpoint and returns the answer, whatever its status. */
  send<E extends AnyEndpoint>(
    endpoint: E,
    input: EndpointInput<E>,
    options: RequestOptions = {},
  ): Promise<Answer> {
    const inputValues = input as Record<string, unknown>
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(inputValues[name])),
    )
    const fields = Object.entries(inputValues).flatMap(([name, value]): [string, string][] => {
      const parameter = endpoint.parameters[name]
      return parameter === undefined || value === undefined ? [] : [[name, encode(parameter, value)]]
    })
    return this.request(endpoint.method, path, fields, { ...options, prefix: endpoint.prefix })
  }

  /** Sends raw fields: in the query for GET, in the body otherwise. `path` is below /api/v1, or the prefix. */
  async request(
    method: string,
    path: string,
    fields: Iterable<[string, string]> = [],
    { prefix = API_PREFIX, ...options }: RequestOptions & { prefix?: string } = {},
  ): Promise<Answer> {
    const encoded = new URLSearchParams([...fields]).toString()
    const isQuery = method === 'GET' || method === 'HEAD'
    const query = isQuery && encoded !== '' ? `?${encoded}` : ''
    const answer = await this.#send(method, `${prefix}${path}${query}`, isQuery ? null : encoded, options)
    return this.#report(method, `${prefix}${path}`, answer)
  }

  /** Uses `node:http`: with `fetch`, a client took as much CPU as the services. */
  #send(
    method: string,
    path: string,
    form: string | null,
    { headers = {}, signal }: RequestOptions,
  ): Promise<Answer> {
    const ofForm =
      form === null
        ? {}
        : {
            'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
            'content-length': String(Buffer.byteLength(form)),
          }
    const options = {
      agent,
      method,
      headers: {
        ...this.#authorization(),
        ...(this.host === null ? {} : { host: this.host }),
        ...ofForm,
        ...headers,
      },
      ...(signal === undefined ? {} : { signal }),
    }
    return new Promise((resolve, reject) => {
      const request = sendRequest(new URL(path, this.baseUrl), options, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('error', reject)
        response.once('end', () => {
          const status = response.statusCode ?? 0
          const responseHeaders = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
            values.map((value): [string, string] => [name, value]),
          )
          resolve(toAnswer(status, new Headers(responseHeaders), Buffer.concat(chunks).toString()))
        })
      })
      request.once('error', reject)
      request.end(form ?? undefined)
    })
  }

  /** Uploads files in one request; the API expects exactly one. */
  upload(...files: readonly UploadedFile[]): Promise<Answer> {
    const { path, prefix } = endpoints.messaging.uploadFile
    return this.uploadTo(prefix + path, ...files)
  }

  /** Uploads files to an endpoint that expects one. `path` begins at the root. */
  async uploadTo(path: string, ...files: readonly UploadedFile[]): Promise<Answer> {
    const form = new FormData()
    for (const { name, content, type = '' } of files) {
      form.append('filename', new Blob([content], { type }), name)
    }
    return this.#report('POST', path, await answerOf(await this.fetch(path, { method: 'POST', body: form })))
  }

  /** Sends any request with the account's credentials. `path` begins at the root. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    const own = { ...this.#authorization(), ...(this.host !== null && { 'x-forwarded-host': this.host }) }
    for (const [name, value] of Object.entries(own)) {
      if (!headers.has(name)) headers.set(name, value)
    }
    // Tests check redirects, so none is followed.
    return fetch(this.baseUrl + path, { redirect: 'manual', ...init, headers })
  }

  /**
   * `fetch` for other client libraries that use this account: answers other than streams are reported to `onAnswer`, and
   * redirects are not followed.
   */
  readonly observedFetch: typeof fetch = async (input, init = {}) => {
    const headers = new Headers(init.headers)
    if (this.host !== null) headers.set('x-forwarded-host', this.host)
    const response = await fetch(input, { redirect: 'manual', ...init, headers })
    // A stream is read while it lasts.
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return response
    this.#report(init.method ?? 'GET', new URL(response.url).pathname, await answerOf(response.clone()))
    return response
  }

  #report(method: string, path: string, answer: Answer): Answer {
    this.#onAnswer({ method, path, answer })
    return answer
  }

  #authorization(): Record<string, string> {
    if (this.account === null) return {}
    const credentials = Buffer.from(`${this.account.email}:${this.account.apiKey}`).toString('base64')
    return { authorization: `Basic ${credentials}` }
  }
}

/** Reads a whole response. */
export async function answerOf(response: Response): Promise<Answer> {
  return toAnswer(response.status, response.headers, await response.text())
}

function toAnswer(status: number, headers: Headers, text: string): Answer {
  const isJson = text !== '' && headers.get('content-type')?.startsWith('application/json')
  return { status, headers, body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {}, text }
}

function encode({ encoding }: Parameter, value: unknown): string {
  const isText = encoding === 'text' || (encoding === 'text-or-json' && typeof value === 'string')
  return isText ? String(value) : JSON.stringify(value)
}
