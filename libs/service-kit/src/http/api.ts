import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type AnyEndpoint,
  AppError,
  type endpoints,
  type InternalEndpoint,
  type internal,
  Role,
} from '@tms/contracts'
import type { Registry } from 'prom-client'
import type { CacheLease } from '../cache-lease/cache-lease.ts'
import type { ChangeAnnouncer } from '../cache-lease/change-announcer.ts'
import { ORIGIN_HEADER, originOfCall, runFrom } from '../origin/origin.ts'
import type { Logger } from '../telemetry/log.ts'
import { requestDurationsOf } from '../telemetry/metrics.ts'
import { describeServed, serveInSpan } from '../telemetry/server-span.ts'
import { isTracing } from '../telemetry/tracer.ts'
import {
  createInternalTokenVerifier,
  createUserTokenVerifier,
  isLimited,
  isProvisioner,
  type LimitedCaller,
  type TokenHolder,
  type UserTokenVerifier,
} from '../tokens/tokens.ts'
import { type AnswerTarget, responseOf } from './answer-target.ts'
import { type ApiRequest, LinkedRequest, messageOf } from './api-request.ts'
import { errorReplyOf } from './error-reply.ts'
import { EventStreamAnswer, replyEventStream } from './event-stream-answer.ts'
import { asAppError } from './failure.ts'
import { FileAnswer, replyFile } from './file-answer.ts'
import { drain } from './file-body.ts'
import type { HandlersOf, InternalHandlersOf, Route } from './handler.ts'
import { PageAnswer, replyPage } from './page-answer.ts'
import {
  HeadersAnswer,
  JoinedFields,
  RedirectAnswer,
  replyHeaders,
  replyJoined,
  replyRedirect,
  replySuccess,
  sentStatus,
} from './reply.ts'
import { createRouteTable } from './routes.ts'
import { replyScim, ScimAnswer } from './scim-answer.ts'
import { type InternalRoute, serveInternalCall } from './serve-internal.ts'
import { readRequest } from './served-request.ts'
import type { RequestHandler } from './server.ts'

/** A service's declaration of its API. */
export interface ServedApi<O extends keyof typeof endpoints, Context> {
  readonly owner: O
  readonly endpoints: (typeof endpoints)[O]
  readonly internalEndpoints: O extends keyof typeof internal ? (typeof internal)[O] : Record<never, never>
  readonly handlers: HandlersOf<O, Context>
  readonly internalHandlers: O extends keyof typeof internal
    ? InternalHandlersOf<O, Context>
    : Record<never, never>
  readonly context: Context
  readonly metrics: Registry
  /**
   * For services whose handlers read projections of other services: each request waits until the lease is valid, or
   * the projections were refreshed.
   */
  readonly lease?: Pick<CacheLease, 'isValid' | 'validate'>
  /**
   * For services whose changes others cache: a request that may change something is answered once everything
   * committed is announced, even if another request made the change.
   */
  readonly announcer?: Pick<ChangeAnnouncer, 'announce'>
  /**
   * Checks that a call by an API token that is limited to channels is about these alone, at endpoints with `channelParameters`.
   * Resolves to parameters that replace those of the call. A service without it accepts no such token.
   */
  readonly checkChannels?: CheckChannels<Context>
  /** Of a service that also gets tokens of users on other ways: what one has verified, the other need not. */
  readonly verifyUser?: UserTokenVerifier
  /** Endpoints with many requests that never change what others cache. */
  readonly unannounced?: ReadonlySet<string>
}

export type CheckChannels<Context> = (
  context: Context,
  caller: LimitedCaller,
  call: Pick<AnyEndpoint, 'channelParameters'> & { readonly input: Readonly<Record<string, unknown>> },
) => Promise<Readonly<Record<string, unknown>>>

interface ApiOptions<O extends keyof typeof endpoints, Context> extends ServedApi<O, Context> {
  readonly userPublicKey: string
  readonly internalPublicKey: string
  readonly log: Logger
}

/** Serves requests of users, which come by HTTP or over links, and calls of other services. */
interface Api {
  readonly handle: RequestHandler
  /** Serves a request of a user that a gateway sent over a link. */
  readonly serveLinked: (request: LinkedRequest, answer: AnswerTarget) => void
}

/**
 * The service's API, from its declaration: checks the token, decodes the request, runs the handler, answers in the
 * envelope. Every failure becomes a JSON error; only a defect is a 500, logged with its cause.
 */
export function createApi<O extends keyof typeof endpoints, Context>(options: ApiOptions<O, Context>): Api {
  const { owner, context, log, metrics, lease, announcer } = options
  const durations = requestDurationsOf(metrics)
  const verifyUser = options.verifyUser ?? createUserTokenVerifier(options.userPublicKey)
  const verifyInternal = createInternalTokenVerifier(options.internalPublicKey)
  const handlers = options.handlers as Record<string, Route<Context>['handle']>
  const table = createRouteTable(
    (Object.values(options.endpoints) as unknown as AnyEndpoint[]).map((endpoint) => {
      const handle = handlers[endpoint.name]
      if (!handle) throw new Error(`${owner} has no handler for ${endpoint.name}`)
      return { endpoint, target: { endpoint, handle } satisfies Route<Context> }
    }),
  )
  const internalTable = internalRoutes(options)

  const mayChange = ({ method, name }: AnyEndpoint): boolean =>
    method !== 'GET' && !options.unannounced?.has(name)

  const finish = (
    { request, response }: { request: ApiRequest; response: AnswerTarget },
    endpoint: AnyEndpoint | InternalEndpoint | undefined,
    startedAt: number,
    requestId: string,
    caller: TokenHolder,
  ) => {
    const name = endpoint?.name ?? 'unknown'
    const seconds = (performance.now() - startedAt) / 1000
    const status = sentStatus(response)
    durations.observe({ endpoint: name, status }, seconds)
    log.info(
      {
        requestId,
        endpoint: name,
        status,
        ms: Math.round(seconds * 1000),
        userId: caller?.userId ?? undefined,
      },
      'request answered',
    )
    if (isTracing()) {
      describeServed({
        method: request.method ?? 'GET',
        route: endpoint === undefined ? null : routeOf(endpoint),
        status,
        requestId,
        userId: caller?.userId ?? undefined,
      })
    }
  }

  const fail = (
    response: AnswerTarget,
    err: unknown,
    requestId: string,
    name: string,
    answer: AnyEndpoint['answer'] = 'envelope',
  ) => {
    if (response.headersSent || response.destroyed) {
      // In the middle of a file only breaking the connection signals the failure. A client that left is no news.
      const hasLeft = err instanceof Error && 'code' in err && err.code === 'ERR_STREAM_PREMATURE_CLOSE'
      if (response.headersSent && !hasLeft) log.warn({ err, requestId, endpoint: name }, 'answer broke off')
      return void response.destroy()
    }
    const error = asAppError(err)
    if (!error) log.error({ err, requestId, endpoint: name }, 'request failed')
    else if (error.status >= 500) log.warn({ err: error, requestId, endpoint: name }, 'request refused')
    const reply = errorReplyOf(answer)
    reply(response, error ?? new AppError('INTERNAL', { cause: err }))
  }

  const serveUser = async (request: ApiRequest, response: AnswerTarget, path: string, query: string) => {
    const startedAt = performance.now()
    const requestId = header(request, 'x-request-id') ?? randomUUID()
    let endpoint: AnyEndpoint | undefined
    let caller: TokenHolder = null
    let takesFile = false
    try {
      const { target, pathFields } = table.find(request.method ?? 'GET', path)
      endpoint = target.endpoint
      takesFile = endpoint.body === 'file' || endpoint.body === 'bytes'
      caller = authorize(target.endpoint, request, verifyUser)
      const served = await readRequest({
        ...{ message: request, response, endpoint, pathFields, query, caller, context, requestId, log },
      })
      if (lease && !lease.isValid()) await lease.validate()
      if (caller !== null && caller.userId !== null && isLimited(caller))
        Object.assign(served.input, await limitToChannels(options, endpoint, caller, served.input))
      const answer = await runFrom(served, () => target.handle(served))
      if (announcer && mayChange(endpoint)) await announcer.announce()
      if (answer instanceof FileAnswer)
        await replyFile(messageOf(request), responseOf(response), answer.source)
      else if (answer instanceof PageAnswer) replyPage(response, answer)
      else if (answer instanceof ScimAnswer) replyScim(response, answer)
      else if (answer instanceof RedirectAnswer) replyRedirect(response, answer)
      else if (answer instanceof HeadersAnswer) replyHeaders(response, answer)
      else if (answer instanceof EventStreamAnswer) await replyEventStream(responseOf(response), answer)
      else if (answer instanceof JoinedFields) await replyJoined(responseOf(response), answer, served.ignored)
      else replySuccess(response, answer, served.ignored)
    } catch (err) {
      if (takesFile && !(request instanceof LinkedRequest)) await drain(request)
      fail(response, err, requestId, endpoint?.name ?? 'unknown', endpoint?.answer)
    }
    finish({ request, response }, endpoint, startedAt, requestId, caller)
  }

  const serveInternal = async (
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    query: string,
  ) => {
    const startedAt = performance.now()
    const requestId = header(request, 'x-request-id') ?? randomUUID()
    const route = request.method === 'POST' ? internalTable.get(path) : undefined
    try {
      if (!route) throw new AppError('NOT_FOUND')
      const issuer = verifyInternal(bearerOf(request))
      if (lease && !lease.isValid()) await lease.validate()
      const origin = originOfCall(header(request, ORIGIN_HEADER), issuer)
      await runFrom({ origin }, () =>
        serveInternalCall(route, { request, response, query }, context, requestId),
      )
    } catch (err) {
      fail(response, err, requestId, route?.endpoint.name ?? 'unknown')
    }
    finish({ request, response }, route?.endpoint, startedAt, requestId, null)
  }

  const serve = (request: ApiRequest, response: AnswerTarget, { path, query }: Address): void => {
    if (isTracing()) void serveInSpan(request, () => serveUser(request, response, path, query))
    else void serveUser(request, response, path, query)
  }

  return {
    handle: (request, response) => {
      const address = addressOf(request)
      const { path, query } = address
      if (table.isOfApi(path)) {
        serve(request, response, address)
        return true
      }
      if (path.startsWith('/internal/')) {
        // Background calls between services begin no trace.
        if (isTracing() && request.headers['traceparent'] !== undefined)
          void serveInSpan(request, () => serveInternal(request, response, path, query))
        else void serveInternal(request, response, path, query)
        return true
      }
      return false
    },
    serveLinked: (request, response) => serve(request, response, addressOf(request)),
  }
}

interface Address {
  readonly path: string
  readonly query: string
}

function addressOf({ url = '/' }: ApiRequest): Address {
  const queryAt = url.indexOf('?')
  if (queryAt < 0) return { path: url, query: '' }
  return { path: url.slice(0, queryAt), query: url.slice(queryAt + 1) }
}

function limitToChannels<O extends keyof typeof endpoints, Context>(
  { context, checkChannels }: ApiOptions<O, Context>,
  { channelParameters }: AnyEndpoint,
  caller: LimitedCaller,
  input: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  if (!checkChannels || channelParameters.length === 0) throw new AppError('TOKEN_LIMITED_TO_CHANNELS')
  return checkChannels(context, caller, { channelParameters, input })
}

function internalRoutes<O extends keyof typeof endpoints, Context>(
  options: ApiOptions<O, Context>,
): Map<string, InternalRoute<Context>> {
  const handlers = options.internalHandlers as Record<string, InternalRoute<Context>['handle']>
  return new Map(
    (Object.values(options.internalEndpoints) as unknown as InternalEndpoint[]).map((endpoint) => {
      const handle = handlers[endpoint.name]
      if (!handle) throw new Error(`${options.owner} has no handler for ${endpoint.name}`)
      return [endpoint.path, { endpoint, handle }]
    }),
  )
}

const routeOf = (endpoint: AnyEndpoint | InternalEndpoint): string =>
  'prefix' in endpoint ? endpoint.prefix + endpoint.path : endpoint.path

function authorize(
  endpoint: AnyEndpoint,
  request: ApiRequest,
  verify: (token: string) => TokenHolder,
): TokenHolder {
  // Public endpoints need the gateway's token too: it proves that limits were applied.
  const caller = verify(bearerOf(request))
  if (endpoint.auth === 'public') return null
  if (caller === null || isProvisioner(caller) !== (endpoint.auth === 'provisioner'))
    throw new AppError('UNAUTHORIZED')
  if (isProvisioner(caller)) return caller
  if (caller.userId === null) {
    if (endpoint.auth !== 'user-or-spectator') throw new AppError('UNAUTHORIZED')
    return caller
  }
  if (endpoint.auth === 'administrator' && caller.role > Role.administrator)
    throw new AppError('UNAUTHORIZED_PRINCIPAL')
  if (endpoint.auth === 'owner' && caller.role > Role.owner)
    throw new AppError('UNAUTHORIZED_PRINCIPAL', { message: 'Must be an organization owner' })
  return caller
}

function bearerOf(request: ApiRequest): string {
  const value = request.headers.authorization
  if (!value?.startsWith('Bearer ')) throw new AppError('UNAUTHORIZED')
  return value.slice('Bearer '.length)
}

function header(request: ApiRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}
