import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import { limits } from './limits.ts'
import type { InputOf, Parameters } from './parameter.ts'
import { type ChannelParameter, defaultTokenAccess, type TokenAccess } from './token-scope.ts'

export type ServiceName = 'gateway' | 'users' | 'realm' | 'messaging' | 'events'
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call: `public` needs no credentials; `user` needs any account; `administrator` an owner or an
 * administrator, and `owner` an owner: others get UNAUTHORIZED_PRINCIPAL. `user-or-spectator` also accepts requests
 * without credentials, in organizations that allow it, and then shows only web-public channels; wrong credentials are
 * refused as everywhere. `user-by-key` is for programs that know only an address: any account, by its API key alone, in
 * the parameter `api_key` of the query. `provisioner` is for the system that manages an organization's accounts, by the
 * organization's SCIM token.
 */
export type Auth =
  | 'public'
  | 'user-or-spectator'
  | 'user'
  | 'user-by-key'
  | 'administrator'
  | 'owner'
  | 'provisioner'

/** Prefix of the API's paths. */
export const API_PREFIX = '/api/v1'

type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never

/**
 * One endpoint, declared once: the gateway's route, the owner's decoding, the handler's types and the OpenAPI
 * document all follow from this value.
 */
export interface Endpoint<
  Path extends string = string,
  PathParameters extends Parameters = Parameters,
  P extends Parameters = Parameters,
  Response extends z.ZodType = z.ZodType,
  A extends Auth = Auth,
> {
  readonly name: string
  readonly owner: ServiceName
  readonly method: Method
  /** Prefix of `path`: the API's, or none for pages and files that browsers open. */
  readonly prefix: typeof API_PREFIX | ''
  /** Below the prefix, with `{name}` for each path parameter. */
  readonly path: Path
  readonly auth: A
  /**
   * The scope that a caller with an API token needs. Null if it isn't declared, which a test refuses: no token is accepted
   * then. Meaningless at public endpoints.
   */
  readonly tokenAccess: TokenAccess | null
  /**
   * By these parameters its service knows which channels a call is about. API tokens that are limited to channels are accepted
   * only where there are any: then the service answers and does nothing that is about other channels or direct messages.
   */
  readonly channelParameters: readonly ChannelParameter[]
  readonly summary: string
  /** Markdown for callers, if names and parameters don't explain enough. */
  readonly description: string | null
  readonly pathParameters: PathParameters
  readonly parameters: P
  /**
   * Content of the body: the parameters; or one file as multipart/form-data, which is streamed; or the parameters
   * and, if it is multipart/form-data, a picture beside them; or part of a file as it is, which is streamed.
   */
  readonly body: 'fields' | 'file' | 'fields-and-picture' | 'bytes'
  /** The largest file in its body; 0 if it takes none. */
  readonly maxFileMib: number
  /**
   * Kind of answer: the envelope with `response`, a file, a redirect, a page for people, including its errors, a status and
   * headers of another protocol than the API's, server-sent events, which end when either side likes, or a document of SCIM,
   * including its errors.
   */
  readonly answer: 'envelope' | 'file' | 'redirect' | 'page' | 'headers' | 'event-stream' | 'scim'
  /** Fields beside the envelope's. */
  readonly response: Response
  /** The same for spectators if they get another answer; otherwise null. */
  readonly spectatorResponse: z.ZodType | null
  /** Accepts an `Idempotency-Key` header: a second attempt with the same key gets the first answer. */
  readonly isRepeatable: boolean
  /** Has parameters that aren't declared here; they are texts of the query. */
  readonly takesOtherParameters: boolean
  /** Gets those cookies of the browser that pages set (`pageCookies`); everything else gets none. */
  readonly takesCookies: boolean
  /** Gets the user that a trusted proxy has signed in (`REMOTE_USER_HEADER`); nothing else does. */
  readonly takesRemoteUser: boolean
  /** Calls over their caller's limit reach the owner too, which decides (`gatewayHeaders`); others are refused. */
  readonly passesOverLimit: boolean
  /** Its owner may answer in gzip (`gatewayHeaders`); answers of all others are compressed by the gateway alone. */
  readonly mayBeGzipped: boolean
  /** Codes beyond `commonErrors`. */
  readonly errors: readonly ErrorCode[]
  /** Whether the answer may take about a minute (long-polling): no shorter timeout applies. */
  readonly isLongPoll: boolean
}

const standardFileMib = {
  file: limits.maxFileUploadMib,
  'fields-and-picture': limits.maxPictureMib,
  bytes: limits.maxFileUploadMib,
} as const

export type AnyEndpoint = Endpoint<string, Parameters, Parameters, z.ZodType, Auth>

/** Declares an endpoint. Path parameters that differ from the `{names}` in `path` don't compile. */
export function endpoint<
  const Path extends string,
  const PathParameters extends Parameters & Record<PathNames<Path>, unknown> = Record<never, never> &
    Record<PathNames<Path>, never>,
  const P extends Parameters = Record<never, never>,
  Response extends z.ZodType = z.ZodType,
  const A extends Auth = Auth,
>(declaration: {
  name: string
  owner: ServiceName
  method: Method
  prefix?: ''
  path: Path
  auth: A
  /** If it isn't the one of `defaultTokenAccess`. */
  tokenAccess?: TokenAccess
  /** If API tokens that are limited to channels may call it. */
  channelParameters?: readonly ChannelParameter[]
  summary: string
  description?: string
  pathParameters?: PathParameters
  parameters?: P
  body?: 'file' | 'fields-and-picture' | 'bytes'
  /** For `body: 'file'`, if it isn't `limits.maxFileUploadMib`. */
  maxFileMib?: number
  answer?: 'file' | 'redirect' | 'page' | 'headers' | 'event-stream' | 'scim'
  response: Response
  spectatorResponse?: z.ZodType
  isRepeatable?: boolean
  takesOtherParameters?: boolean
  takesCookies?: boolean
  takesRemoteUser?: boolean
  passesOverLimit?: boolean
  mayBeGzipped?: boolean
  errors?: readonly ErrorCode[]
  isLongPoll?: boolean
}): Endpoint<Path, PathParameters, P, Response, A> {
  return {
    ...declaration,
    tokenAccess: declaration.tokenAccess ?? defaultTokenAccess(declaration),
    channelParameters: declaration.channelParameters ?? [],
    description: declaration.description ?? null,
    prefix: declaration.prefix ?? API_PREFIX,
    body: declaration.body ?? 'fields',
    maxFileMib: declaration.maxFileMib ?? (declaration.body ? standardFileMib[declaration.body] : 0),
    answer: declaration.answer ?? 'envelope',
    pathParameters: declaration.pathParameters ?? ({} as PathParameters),
    parameters: declaration.parameters ?? ({} as P),
    spectatorResponse: declaration.spectatorResponse ?? null,
    isRepeatable: declaration.isRepeatable ?? false,
    takesOtherParameters: declaration.takesOtherParameters ?? false,
    takesCookies: declaration.takesCookies ?? false,
    takesRemoteUser: declaration.takesRemoteUser ?? false,
    passesOverLimit: declaration.passesOverLimit ?? false,
    mayBeGzipped: declaration.mayBeGzipped ?? false,
    errors: declaration.errors ?? [],
    isLongPoll: declaration.isLongPoll ?? false,
  }
}

export type EndpointInput<E> =
  E extends Endpoint<string, infer PP, infer P, z.ZodType, Auth> ? InputOf<PP> & InputOf<P> : never
export type EndpointOutput<E> =
  E extends Endpoint<string, Parameters, Parameters, infer R, Auth> ? z.output<R> : never

/** Direction of bytes streamed in a call between services, beside its parameters and its answer. */
export type StreamDirection = 'none' | 'up' | 'down'

/**
 * A call between services: always `POST {path}` with a JSON body, with a token whose audience is `internal`. Never
 * routed by the gateway.
 */
export interface InternalEndpoint<
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
  Direction extends StreamDirection = StreamDirection,
> {
  readonly name: string
  readonly owner: ServiceName
  readonly path: `/internal/${string}`
  readonly body: Body
  readonly response: Response
  /**
   * The one field of the response that is a `JsonFields`: it comes after the others, and the caller doesn't parse it. If it is
   * deflated, the sum of its text is among them under this name.
   */
  readonly tail?: string
  /** `up`: the request's body is bytes, and `body` is in the query as `parameters`. `down`: the answer is bytes. */
  readonly stream?: Direction
}

/** Declares a call between services. A lost call is repeated, so the call must be idempotent. */
export function internalEndpoint<
  Body extends z.ZodType,
  Response extends z.ZodType,
  const Direction extends StreamDirection = 'none',
>(declaration: InternalEndpoint<Body, Response, Direction>): InternalEndpoint<Body, Response, Direction> {
  return declaration
}
