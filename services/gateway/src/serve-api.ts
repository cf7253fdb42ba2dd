import {
  type AnyEndpoint,
  AppError,
  allEndpoints,
  badRequest,
  endpoints,
  limits,
  maxBodyBytesOf,
} from '@tms/contracts'
import {
  asAppError,
  createRouteTable,
  describeRequest,
  errorReplyOf,
  isTracing,
  type OpenSpan,
  type RequestHandler,
  type RouteTable,
  runInSpan,
  startServerSpan,
  traceFields,
} from '@tms/service-kit'
import type { Context } from './context.ts'
import type { Identity } from './identity/identities.ts'
import { checkTokenChannels, checkTokenScope } from './identity/token-scope.rules.ts'
import type { LimitState } from './limits/limit-headers.rules.ts'
import { rateLimitHit } from './limits/rate-limits.ts'
import { isPagePath } from './pages/pages.ts'
import { Call } from './requests/call.ts'
import { clientHostOf, clientIpOf } from './requests/client-address.rules.ts'
import { overrideMethod } from './requests/override-method.ts'
import { endRestOf, refuseBody } from './requests/refuse-body.ts'
import { requestIdOf } from './requests/request-id.rules.ts'
import { isOfUploads, replyOptions, setCommonHeaders } from './requests/response-headers.ts'

/**
 * The API as clients see it: authenticates callers, applies limits, and forwards each request to the service that
 * owns its endpoint.
 */
export function createGatewayApi(context: Context): RequestHandler {
  const table = createRouteTable(allEndpoints.map((endpoint) => ({ endpoint, target: endpoint })))
  return (request, response) => {
    const url = request.url ?? '/'
    const queryAt = url.indexOf('?')
    const path = queryAt < 0 ? url : url.slice(0, queryAt)
    // Health checks must work whatever clients do.
    if (path.startsWith('/health/')) return false
    const call = new Call({
      ...{ request, response },
      requestId: requestIdOf(request.headers['x-request-id']),
      clientIp: clientIpOf(request, context.addressing),
      trace: isTracing() ? startServerSpan(request) : null,
    })
    const refusal = admit(context, call)
    call.isOfApi = refusal !== null || (table.isOfApi(path) && !isPagePath(path))
    endWithAnswer(context, call)
    if (refusal) refuse(context, call, refusal)
    else if (call.isOfApi) serveTraced(context, table, call, path)
    return call.isOfApi
  }
}

/** A separate function, so that its closure retains as little as possible while a poll is pending. */
function endWithAnswer(context: Context, call: Call): void {
  call.onClosed(() => {
    call.release?.()
    if (!call.isTaken) endRestOf(call.request)
    if (call.isOfApi) report(context, call)
  })
}

function serveTraced(context: Context, table: RouteTable<AnyEndpoint>, call: Call, path: string): void {
  if (!call.trace?.span.isRecording()) return void serve(context, table, call, path)
  void runInSpan(call.trace, () => serve(context, table, call, path))
}

/** Null if a request is accepted; otherwise the error, after whose answer the connection ends. */
function admit({ guard, maxHeaders, metrics }: Context, call: Call): unknown {
  const { request, response } = call
  try {
    call.release = guard.begin(request.socket, call.clientIp)
    if (request.rawHeaders.length <= 2 * maxHeaders) return null
    metrics.clientRefused('headers')
    throw new AppError('HEADERS_TOO_LARGE', { message: `The request has more than ${maxHeaders} headers` })
  } catch (err) {
    response.shouldKeepAlive = false
    return err
  }
}

/** Answers, or leaves the answer to the forwarder; so its variables are freed while a poll is pending. */
async function serve(
  context: Context,
  table: RouteTable<AnyEndpoint>,
  call: Call,
  path: string,
): Promise<void> {
  const { request } = call
  try {
    if ((request.url ?? '').length > limits.maxUrlBytes) throw new AppError('URL_TOO_LONG')
    if (!request.headers.host) throw badRequest('The Host header is missing')
    if (request.method === 'OPTIONS') return replyPathOptions(table, call, path)
    await overrideMethod(request, path, table, {
      answerTimeoutMs: context.answerTimeoutMs,
      onSlow: () => context.metrics.clientRefused('slow_request'),
    })
    call.endpoint = table.find(request.method ?? 'GET', path).target
    if (Number(request.headers['content-length'] ?? 0) > maxBodyBytesOf(call.endpoint)) {
      return refuseBody(call)
    }
    await authorize(context, call, call.endpoint)
    if (!call.response.destroyed) context.forwarder.forward(call)
  } catch (err) {
    refuse(context, call, err)
  }
}

async function authorize(context: Context, call: Call, endpoint: AnyEndpoint): Promise<void> {
  const { request, requestId } = call
  const { authorization } = request.headers
  const isSpectator = endpoint.auth === 'user-or-spectator' && authorization === undefined
  if (endpoint.auth === 'public' || isSpectator) {
    // Clients show hundreds of pictures, which browsers and proxies cache.
    const pendingCount =
      endpoint.answer === 'file' && !isSpectator ? null : context.limits.countAnonymousCall(call.clientIp)
    if (pendingCount) await applyLimit(call, pendingCount)
    call.token = isSpectator
      ? await context.spectators.admit(clientHostOf(request, context.addressing), requestId)
      : context.anonymousToken()
    return
  }
  if (endpoint.auth === 'provisioner') return authorizeProvisioner(context, call)
  const credentials = {
    authorization,
    ...(endpoint.auth === 'user-by-key' ? { secret: apiKeyOf(request) } : {}),
    host: clientHostOf(request, context.addressing),
    connection: request.socket,
    clientIp: call.clientIp,
    requestId,
  }
  const found = context.identities.find(credentials)
  const identity = found instanceof Promise ? await found : found
  if (identity.mayOnlySendMessages && !isForSenders(endpoint))
    throw new AppError('UNAUTHORIZED', { message: 'An incoming webhook bot may only send messages' })
  call.userId = identity.caller.userId
  call.identifiedBy = credentials
  call.token = identity.token
  const pendingCount = context.limits.countCall(identity.caller)
  if (pendingCount) await applyLimit(call, pendingCount)
  // A key that was replaced during the limit's answer ended only polls that were pending already; a stream has no end of its own.
  if (pendingCount && endpoint.answer === 'event-stream') await context.identities.find(credentials)
  if (!identity.apiToken) return
  checkTokenScope(endpoint, identity.apiToken.scopes)
  checkTokenChannels(endpoint, identity.caller)
  if (endpoint.isLongPoll) endWithToken(context, call, identity)
}

/** Users may count a token as valid for a moment longer than this gateway does. */
const CHECK_AGAIN_MS = 200
/** A timer can't be set for much longer than three weeks. */
const LONGEST_TIMER_MS = 86_400_000

/**
 * Ends a poll or a stream when the API token of its caller expires; one whose token is revoked ends like one with a replaced
 * key.
 */
function endWithToken({ authenticatePolls }: Context, call: Call, { caller, apiToken }: Identity): void {
  const expiresAt = apiToken?.expiresAt ?? null
  // A client that left meanwhile closes nothing any more.
  if (expiresAt === null || call.response.destroyed) return
  const check = () => {
    const leftMs = expiresAt - performance.now()
    timer = setTimeout(check, leftMs > 0 ? Math.min(leftMs + 1, LONGEST_TIMER_MS) : CHECK_AGAIN_MS)
    if (leftMs <= 0) authenticatePolls([caller.userId])
  }
  let timer = setTimeout(check, 0)
  call.onClosed(() => clearTimeout(timer))
}

async function authorizeProvisioner(context: Context, call: Call): Promise<void> {
  const { request, requestId } = call
  const { realmId, token } = await context.provisioners.find({
    authorization: request.headers.authorization,
    host: clientHostOf(request, context.addressing),
    clientIp: call.clientIp,
    requestId,
  })
  call.token = token
  const pendingCount = context.limits.countProvisioning(realmId)
  if (pendingCount) await applyLimit(call, pendingCount)
}

/** Whether incoming webhook bots may call an endpoint. */
const isForSenders = ({ auth, name }: AnyEndpoint): boolean =>
  auth === 'user-by-key' || name === endpoints.messaging.sendMessage.name

/** The key in the address. Throws REQUEST_VARIABLE_MISSING. */
function apiKeyOf({ url = '' }: Call['request']): string {
  const queryAt = url.indexOf('?')
  const apiKey = new URLSearchParams(queryAt < 0 ? '' : url.slice(queryAt + 1)).get('api_key')
  if (apiKey === null)
    throw new AppError('REQUEST_VARIABLE_MISSING', {
      message: "Missing 'api_key' argument",
      details: { var_name: 'api_key' },
    })
  return apiKey.trim()
}

async function applyLimit(call: Call, pendingCount: Promise<LimitState>): Promise<void> {
  const state = await pendingCount
  call.limitHeaders = state.headers
  if (state.retryAfterMs === null) return
  if (call.endpoint?.passesOverLimit) call.overLimit = state.limit
  else throw rateLimitHit(state.retryAfterMs)
}

function replyPathOptions(table: RouteTable<AnyEndpoint>, call: Call, path: string): void {
  const allowed = table.allowedMethods(path)
  if (allowed.length === 0) throw new AppError('NOT_FOUND', { message: `No endpoint at ${path}` })
  setCommonHeaders(call)
  replyOptions(call.response, { methods: allowed, takesUploads: isOfUploads(path) })
}

function refuse({ log }: Context, call: Call, err: unknown): void {
  const { response, requestId } = call
  const error = asAppError(err)
  if (!error) log.error({ err, requestId, endpoint: call.endpoint?.name }, 'request failed')
  if (response.headersSent || response.destroyed) return
  setCommonHeaders(call)
  const reply = errorReplyOf(call.endpoint?.answer)
  reply(response, error ?? new AppError('INTERNAL', { cause: err }))
}

function endTrace({ span }: OpenSpan, { request, endpoint, requestId, userId }: Call, status: number): void {
  const route = endpoint && endpoint.prefix + endpoint.path
  describeRequest(span, {
    method: request.method ?? 'GET',
    route,
    status,
    requestId,
    userId: userId ?? undefined,
  })
  span.end()
}

function report({ metrics, log }: Context, call: Call): void {
  const { requestId, userId, clientIp, status } = call
  const endpoint = call.endpoint?.name ?? 'unknown'
  const seconds = (performance.now() - call.startedAt) / 1000
  metrics.answered(endpoint, status, seconds)
  const ms = Math.round(seconds * 1000)
  const fields = { requestId, endpoint, status, ms, userId, ip: clientIp }
  if (call.trace === null) return log.info(fields, 'request answered')
  log.info({ ...fields, ...traceFields(call.trace.span) }, 'request answered')
  if (!call.isTaken) endTrace(call.trace, call, status)
}
