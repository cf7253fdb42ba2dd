import { Agent, request as sendRequest } from 'node:http'
import {
  type AnyEndpoint,
  API_PREFIX,
  type EndpointInput,
  type EndpointOutput,
  endpoints,
  type Parameter,
} from '@tms/contracts'

/** What the API answered. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON body; empty when it is no JSON. */
  readonly body: Record<string, unknown>
  /** The body as it came. */
  readonly text: string
}

export interface Account {
  readonly userId: number
  readonly email: string
  readonly apiKey: string
}

/** A file as a client program reads it from a disk. */
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
  /** The host that it addresses, where that is another than the URL's. */
  readonly host: string | null
  readonly #onAnswer: (exchange: HttpExchange) => void

  /**
   * `onAnswer` hears of every answer, whoever asked. What goes by `fetch`, which sets no Host header, tells another
   * `host` as a proxy in front does: the gateway has to trust it.
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

  /** Another account's use of the same organization; who hears of this one's answers hears of that one's. */
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

  /** Calls a declared endpoint and returns whatever it answers. */
  send<E extends AnyEndpoint>(
    endpoint: E,
    input: EndpointInput<E>,
    options: RequestOptions = {},
  ): Promise<Answer> {
    const given = input as Record<string, unknown>
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(given[name])),
    )
    const fields = Object.entries(given).flatMap(([name, value]): [string, string][] => {
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
    return this.#heard(method, `${prefix}${path}`, answer)
  }

  /** By `node:http`: with `fetch`, a client took as much CPU as the services that it asked. */
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
          const heard = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
            values.map((value): [string, string] => [name, value]),
          )
          resolve(toAnswer(status, new Headers(heard), Buffer.concat(chunks).toString()))
        })
      })
      request.once('error', reject)
      request.end(form ?? undefined)
    })
  }

  /** Sends files, one as is right, or as many as are given. */
  upload(...files: readonly UploadedFile[]): Promise<Answer> {
    const { path, prefix } = endpoints.messaging.uploadFile
    return this.uploadTo(prefix + path, ...files)
  }

  /** Sends files to an endpoint that takes one. `path` begins at the root. */
  async uploadTo(path: string, ...files: readonly UploadedFile[]): Promise<Answer> {
    const form = new FormData()
    for (const { name, content, type = '' } of files) {
      form.append('filename', new Blob([content], { type }), name)
    }
    return this.#heard('POST', path, await answerOf(await this.fetch(path, { method: 'POST', body: form })))
  }

  /** Sends whatever it is, with the account's credentials. `path` begins at the root. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    const own = { ...this.#authorization(), ...(this.host !== null && { 'x-forwarded-host': this.host }) }
    for (const [name, value] of Object.entries(own)) {
      if (!headers.has(name)) headers.set(name, value)
    }
    // Where an answer sends its client is part of it.
    return fetch(this.baseUrl + path, { redirect: 'manual', ...init, headers })
  }

  /**
   * `fetch` for clients of another make that use this account: whoever hears of answers hears of those too, and
   * redirects are answers.
   */
  readonly heardFetch: typeof fetch = async (input, init = {}) => {
    const headers = new Headers(init.headers)
    if (this.host !== null) headers.set('x-forwarded-host', this.host)
    const response = await fetch(input, { redirect: 'manual', ...init, headers })
    this.#heard(init.method ?? 'GET', new URL(response.url).pathname, await answerOf(response.clone()))
    return response
  }

  #heard(method: string, path: string, answer: Answer): Answer {
    this.#onAnswer({ method, path, answer })
    return answer
  }

  #authorization(): Record<string, string> {
    if (this.account === null) return {}
    const credentials = Buffer.from(`${this.account.email}:${this.account.apiKey}`).toString('base64')
    return { authorization: `Basic ${credentials}` }
  }
}

/** What a response is when it is read whole. */
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
