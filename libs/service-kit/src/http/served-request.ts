import { type AnyEndpoint, badRequest, type EndpointInput } from '@tms/contracts'
import { type Origin, originOfRequest } from '../origin/origin.ts'
import type { Logger } from '../telemetry/log.ts'
import type { TokenHolder } from '../tokens/tokens.ts'
import type { AnswerTarget } from './answer-target.ts'
import { type ApiRequest, messageOf } from './api-request.ts'
import { clientNameOf } from './client-name.ts'
import { decodeFields, decodePathField } from './decode.ts'
import { fileReceiver, type ReceiveFile } from './file-body.ts'
import { type Fields, readBodyFields, readUrlEncoded } from './form.ts'
import type { Request } from './handler.ts'
import { bytesReceiver, hasNoBytes, type ReceiveBytes } from './receive-bytes.ts'

/**
 * A handler's request, with what the answer needs beside it. A class rather than closures, because every pending poll
 * keeps one.
 */
export class ServedRequest<Context> implements Request<AnyEndpoint, Context> {
  readonly input: EndpointInput<AnyEndpoint>
  readonly caller: TokenHolder
  readonly context: Context
  readonly requestId: string
  readonly client: string
  readonly log: Logger
  readonly picture: Buffer | null
  readonly receiveFile: ReceiveFile
  readonly receiveBytes: ReceiveBytes
  readonly otherParameters: Readonly<Record<string, string>>
  /** Names of parameters that the endpoint doesn't know; of a request with a file, complete once that was received. */
  readonly ignored: readonly string[]
  /** If the request turned out to be of a session. */
  declare sessionUserId?: number
  readonly #message: ApiRequest
  readonly #response: AnswerTarget

  constructor(
    { message, response, caller, context, requestId, log }: Arrived<Context>,
    read: Pick<
      ServedRequest<Context>,
      'input' | 'client' | 'picture' | 'receiveFile' | 'receiveBytes' | 'otherParameters' | 'ignored'
    >,
  ) {
    this.#message = message
    this.#response = response
    this.caller = caller
    this.context = context
    this.requestId = requestId
    this.log = log
    this.input = read.input
    this.client = read.client
    this.picture = read.picture
    this.receiveFile = read.receiveFile
    this.receiveBytes = read.receiveBytes
    this.otherParameters = read.otherParameters
    this.ignored = read.ignored
  }

  /** Made when something asks for it, since pending polls keep requests. */
  get origin(): Origin {
    return originOfRequest(this.caller, this.headers['x-forwarded-for'], this.client)
  }

  get host(): string {
    return this.headers['x-forwarded-host'] ?? this.headers['host'] ?? ''
  }

  get userAgent(): string | undefined {
    return this.headers['user-agent']
  }

  // Only `set-cookie`, which no client sends, would be a list.
  get headers(): Readonly<Record<string, string | undefined>> {
    return this.#message.headers as Record<string, string | undefined>
  }

  get query(): string {
    const { url = '' } = this.#message
    const start = url.indexOf('?')
    return start === -1 ? '' : url.slice(start + 1)
  }

  onClosed(listener: () => void): void {
    this.#response.on('close', listener)
  }
}

/** A request whose caller is known and whose parameters aren't read yet. */
interface Arrived<Context> {
  readonly message: ApiRequest
  readonly response: AnswerTarget
  readonly endpoint: AnyEndpoint
  readonly pathFields: Readonly<Record<string, string | undefined>>
  readonly query: string
  readonly caller: TokenHolder
  readonly context: Context
  readonly requestId: string
  readonly log: Logger
}

/**
 * Reads and decodes the parameters. Throws as `decodeFields` does. Its temporary objects are freed before the handler
 * is called.
 */
export async function readRequest<Context>(arrived: Arrived<Context>): Promise<ServedRequest<Context>> {
  const { message, endpoint, pathFields, query } = arrived
  const takesFile = endpoint.body === 'file'
  const takesBytes = endpoint.body === 'bytes'
  const fields: Fields = new Map()
  readUrlEncoded(query, fields)
  const hasFields = message.method !== 'GET' && message.method !== 'HEAD' && !takesFile && !takesBytes
  const takesPicture = endpoint.body === 'fields-and-picture'
  const ofBody: Fields = new Map()
  const { unread, picture } = hasFields
    ? await readBodyFields(message, ofBody, { takesPicture })
    : { unread: null, picture: null }
  addBodyFields(fields, ofBody, message, endpoint)
  const { parameters } = endpoint
  const { input, ignored: unknown } = decodeFields(fields, parameters, unread)
  const otherParameters = endpoint.takesOtherParameters ? pick(fields, unknown) : NO_PARAMETERS
  const ignored = endpoint.takesOtherParameters ? [] : unknown
  for (const name in pathFields) {
    const parameter = endpoint.pathParameters[name]
    if (parameter) input[name] = decodePathField(name, pathFields[name] ?? '', parameter)
  }
  const client = clientNameOf(fields.get('client'), message.headers['user-agent'])
  const receiveFile = takesFile
    ? receiverOf(messageOf(message), endpoint, fields, { input, ignored })
    : hasNoFile
  const receiveBytes = takesBytes ? bytesReceiver(messageOf(message)) : hasNoBytes
  return new ServedRequest(arrived, {
    ...{ input, client, picture, receiveFile, receiveBytes, otherParameters, ignored },
  })
}

const NO_PARAMETERS: Readonly<Record<string, string>> = {}

const pick = (fields: Fields, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.map((name) => {
      const value = fields.get(name) ?? ''
      if (`${name}${value}`.includes('\0')) throw badRequest('Parameters must not contain NUL characters')
      return [name, value]
    }),
  )

/**
 * Adds the body's fields, which override the query's. A field `method` was already applied by the gateway and is
 * skipped. Throws BAD_REQUEST if it came too late for that, since the request would do something else than it says.
 */
function addBodyFields(
  fields: Fields,
  ofBody: Fields,
  { method }: Pick<ApiRequest, 'method'>,
  { prefix }: AnyEndpoint,
): void {
  for (const [name, value] of ofBody) {
    if (name !== 'method' || prefix === '') fields.set(name, value)
    else if (method === 'POST' && value !== method)
      throw badRequest('The field method must be in the first 16 KiB of the body, before any file')
  }
}

/** Receives the file, and decodes the fields beside it into `decoded`. */
function receiverOf(
  message: ReturnType<typeof messageOf>,
  endpoint: AnyEndpoint,
  fields: Fields,
  { input, ignored }: { input: Record<string, unknown>; ignored: string[] },
): ReceiveFile {
  const { parameters } = endpoint
  return async (consume) => {
    const ofBody: Fields = new Map()
    const received = await fileReceiver(message, ofBody)(consume)
    addBodyFields(fields, ofBody, message, endpoint)
    const beside = decodeFields(fields, parameters)
    Object.assign(input, beside.input)
    ignored.splice(0, ignored.length, ...beside.ignored)
    return received
  }
}

function hasNoFile(): Promise<never> {
  throw new Error('the endpoint takes no file')
}
