import { type AnyEndpoint, API_PREFIX, AppError, badRequest, limits, type Method } from '@tms/contracts'
import Router from 'find-my-way'

/** Finds the endpoint of a request. */
export interface RouteTable<T> {
  /** Whether a path belongs to the API, even if it has no endpoint. */
  isOfApi(path: string): boolean
  /**
   * The match, with raw path parameters. Throws BAD_REQUEST for a path that isn't percent-encoded UTF-8, NOT_FOUND,
   * or METHOD_NOT_ALLOWED with `allowed_methods`.
   */
  find(method: string, path: string): { target: T; pathFields: Record<string, string | undefined> }
  /** Methods that a path supports, for OPTIONS and 405. */
  allowedMethods(path: string): string[]
}

/** `rest` is the name of the path parameter that takes the rest of the path. */
interface Stored<T> {
  readonly target: T
  readonly takesHead: boolean
  readonly rest: string | undefined
}

const METHODS: readonly (Method | 'HEAD')[] = ['HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Compiles endpoints into a radix tree; segments declared as integers match only digits. */
export function createRouteTable<T>(routes: readonly { endpoint: AnyEndpoint; target: T }[]): RouteTable<T> {
  // The declaration of a parameter limits its length, with a proper message.
  const router = Router({ ignoreTrailingSlash: true, maxParamLength: limits.maxUrlBytes })
  const beginnings = new Set([`${API_PREFIX}/`])
  for (const { endpoint, target } of routes) {
    const rest = Object.keys(endpoint.pathParameters).find((name) => endpoint.pathParameters[name]?.isRest)
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (name === rest) return '*'
      return endpoint.pathParameters[name]?.encoding === 'json' ? `:${name}(^\\d+$)` : `:${name}`
    })
    // Opening some pages has effects, and a poll acknowledges events: a HEAD request must do neither.
    const takesHead = endpoint.answer !== 'page' && !endpoint.isLongPoll
    const stored: Stored<T> = { target, takesHead, rest }
    router.on(endpoint.method, endpoint.prefix + path, () => {}, stored)
    if (endpoint.prefix === '') beginnings.add(path.slice(0, path.indexOf('/', 1) + 1 || undefined))
  }

  const lookUp = (method: string, path: string) => {
    if (method !== 'HEAD') return router.find(method as Method, path)
    const match = router.find('GET', path)
    return match && (match.store as Stored<T>).takesHead ? match : null
  }
  const allowedMethods = (path: string): string[] => METHODS.filter((method) => lookUp(method, path) !== null)
  return {
    isOfApi: (path) => {
      for (const beginning of beginnings) if (path.startsWith(beginning)) return true
      return false
    },
    find: (method, path) => {
      const match = lookUp(method, path)
      if (match) {
        const { target, rest } = match.store as Stored<T>
        if (rest === undefined) return { target, pathFields: match.params }
        const { '*': value, ...others } = match.params
        return { target, pathFields: { ...others, [rest]: value } }
      }
      if (!isPercentEncoded(path)) throw badRequest('The path is not percent-encoded UTF-8')
      const allowed = allowedMethods(path)
      if (allowed.length === 0) throw new AppError('NOT_FOUND', { message: `No endpoint at ${path}` })
      throw new AppError('METHOD_NOT_ALLOWED', {
        message: `Method ${method} is not allowed here`,
        details: { allowed_methods: allowed },
      })
    },
    allowedMethods,
  }
}

function isPercentEncoded(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
