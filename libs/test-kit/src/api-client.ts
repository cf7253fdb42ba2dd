import type { AnyEndpoint, EndpointInput, EndpointOutput, Parameter } from '@tms/contracts'

/** What the API answered. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON body. */
  readonly body: Record<string, unknown>
}

export interface Account {
  readonly userId: number
  readonly email: string
  readonly apiKey: string
}

/** An error answer where a success was expected. */
export class ApiError extends Error {
  readonly answer: Answer
  constructor(name: string, answer: Answer) {
    super(`${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    this.answer = answer
  }
}

/** One account's use of the API, as a client program would: HTTP Basic and form fields. */
export class ApiClient {
  readonly baseUrl: string
  readonly account: Account | null

  constructor(baseUrl: string, account: Account | null) {
    this.baseUrl = baseUrl
    this.account = account
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
    options: { headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<EndpointOutput<E> & { ignored_parameters_unsupported?: string[] }> {
    const answer = await this.send(endpoint, input, options)
    if (answer.status !== 200) throw new ApiError(endpoint.name, answer)
    return answer.body as EndpointOutput<E> & { ignored_parameters_unsupported?: string[] }
  }

  /** Calls a declared endpoint and returns whatever it answers. */
  send<E extends AnyEndpoint>(
    endpoint: E,
    input: EndpointInput<E>,
    options: { headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<Answer> {
    const given = input as Record<string, unknown>
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(given[name])),
    )
    const fields = Object.entries(given).flatMap(([name, value]): [string, string][] => {
      const parameter = endpoint.parameters[name]
      return parameter === undefined || value === undefined ? [] : [[name, encode(parameter, value)]]
    })
    return this.request(endpoint.method, path, fields, options)
  }

  /** Sends raw fields: in the query for GET, in the body otherwise. `path` is below /api/v1. */
  async request(
    method: string,
    path: string,
    fields: Iterable<[string, string]> = [],
    { headers = {}, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<Answer> {
    const encoded = new URLSearchParams([...fields])
    const isQuery = method === 'GET' || method === 'HEAD'
    const query = isQuery && encoded.size > 0 ? `?${encoded.toString()}` : ''
    const response = await fetch(`${this.baseUrl}/api/v1${path}${query}`, {
      method,
      headers: { ...this.#authorization(), ...headers },
      ...(isQuery ? {} : { body: encoded }),
      ...(signal === undefined ? {} : { signal }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    }
  }

  #authorization(): Record<string, string> {
    if (this.account === null) return {}
    const credentials = Buffer.from(`${this.account.email}:${this.account.apiKey}`).toString('base64')
    return { authorization: `Basic ${credentials}` }
  }
}

function encode({ encoding }: Parameter, value: unknown): string {
  const isText = encoding === 'text' || (encoding === 'text-or-json' && typeof value === 'string')
  return isText ? String(value) : JSON.stringify(value)
}
