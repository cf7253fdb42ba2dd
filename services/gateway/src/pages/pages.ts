import { API_PREFIX, allDomainEvents, apiEndpoints, asyncApiDocument, openApiDocument } from '@tms/contracts'
import { type Express, replyError, replyJson } from '@tms/service-kit'
import { type RateLimits, rateLimitHit } from '../limits/rate-limits.ts'
import { type ClientAddressing, clientIpOf } from '../requests/client-address.rules.ts'
import { addApiReference } from './api-reference.ts'
import { addDocument } from './document.ts'
import { addEventReference } from './event-reference.ts'

const OPENAPI_PATH = `${API_PREFIX}/openapi.json`
const ASYNCAPI_PATH = `${API_PREFIX}/asyncapi.json`
const REFERENCE_PATH = '/api/docs'
const EVENT_REFERENCE_PATH = `${REFERENCE_PATH}/events`

/** Whether a path under the API's prefix is a page of the gateway and not an endpoint. */
export function isPagePath(path: string): boolean {
  return path === OPENAPI_PATH || path === ASYNCAPI_PATH
}

interface PageContext {
  readonly limits: RateLimits
  readonly addressing: ClientAddressing
}

/** Adds the pages for people who open the address in a browser; each counts as a call without credentials. */
export function addPages(app: Express, { limits, addressing }: PageContext): void {
  app.use(async (request, response, next) => {
    const state = await limits.countAnonymousCall(clientIpOf(request, addressing))
    if (state === null || state.retryAfterMs === null) return next()
    replyError(response, rateLimitHit(state.retryAfterMs))
  })
  const about = {
    service: 'Team Messaging Service',
    api: API_PREFIX,
    authentication:
      'HTTP Basic: API e-mail and API key, or an API token; Bearer: an API token; POST /fetch_api_key gives the key for a password',
    docs: REFERENCE_PATH,
    openapi: OPENAPI_PATH,
    asyncapi: ASYNCAPI_PATH,
  }
  app.get(['/', '/api'], (_request, response) => replyJson(response, 200, about))
  const documents = new Map<string, () => unknown>([
    [OPENAPI_PATH, () => openApiDocument(apiEndpoints)],
    [ASYNCAPI_PATH, () => asyncApiDocument(allDomainEvents)],
  ])
  for (const [path, create] of documents) {
    addDocument(app, path, {
      type: 'application/json',
      headers: { 'access-control-allow-origin': '*' },
      create: () => JSON.stringify(create()),
    })
  }
  addApiReference(app, { path: REFERENCE_PATH, openApi: OPENAPI_PATH, events: EVENT_REFERENCE_PATH })
  addEventReference(app, { path: EVENT_REFERENCE_PATH, asyncApi: ASYNCAPI_PATH, api: REFERENCE_PATH })
}
