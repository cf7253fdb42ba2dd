import { type AnyEndpoint, AppError, type Method } from '@tms/contracts'
import Router from 'find-my-way'

export const API_PREFIX = '/api/v1'

/** Finds which endpoint a request means. */
export interface RouteTable<T> {
  /** The match, with raw path parameters. Throws NOT_FOUND, or METHOD_NOT_ALLOWED with `allowed_methods`. */
  find(method: string, path: string): { target: T; pathFields: Record<string, string | undefined> }
  /** Methods that a path answers, for OPTIONS and 405. */
  allowedMethods(path: string): string[]
}

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Compiles endpoints into a radix tree; segments declared as integers only match digits. */
export function createRouteTable<T>(routes: readonly { endpoint: AnyEndpoint; target: T }[]): RouteTable<T> {
  const router = Router({ ignoreTrailingSlash: true, maxParamLength: 1_000 })
  for (const { endpoint, target } of routes) {
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      endpoint.pathParameters[name]?.encoding === 'json' ? `:${name}(^\\d+$)` : `:${name}`,
    )
    router.on(endpoint.method, API_PREFIX + path, () => {}, target)
  }

  const allowedMethods = (path: string): string[] => {
    const allowed: string[] = METHODS.filter((method) => router.find(method, path) !== null)
    return allowed.includes('GET') ? ['HEAD', ...allowed] : allowed
  }
  return {
    find: (method, path) => {
      const match = router.find((method === 'HEAD' ? 'GET' : method) as Method, path)
      if (match) return { target: match.store as T, pathFields: match.params }
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
