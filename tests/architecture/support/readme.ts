import { read } from './repository.ts'

/**
 * The lists in a service's README, read from its paragraphs `**Serves** to clients: …`, `**Serves** to services: …`,
 * `**Emits**: …` and `**Consumes**: …`.
 */
export interface ReadmeLists {
  /** Such as `POST /messages`. */
  readonly endpoints: string[]
  readonly internalPaths: string[]
  readonly emits: string[]
  readonly consumes: string[]
}

/** Throws if the service has no README. */
export function readmeLists(service: string): ReadmeLists {
  const paragraphs = read(`services/${service}/README.md`).split(/\n\s*\n/)
  const paragraph = (start: string) => paragraphs.find((text) => text.startsWith(start)) ?? ''
  const codesOf = (start: string) =>
    [...paragraph(start).matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')
  const isEvent = (code: string) => /^\w+\.\w+\.v\d+$/.test(code)
  return {
    endpoints: spreadMethods(codesOf('**Serves** to clients')),
    internalPaths: codesOf('**Serves** to services').filter((code) => code.startsWith('/internal/')),
    emits: codesOf('**Emits**').filter(isEvent),
    consumes: codesOf('**Consumes**').filter(isEvent),
  }
}

/** `POST`, `DELETE`, `GET /users` stands for three endpoints of one path. */
function spreadMethods(codes: readonly string[]): string[] {
  const endpoints: string[] = []
  let waiting: string[] = []
  for (const code of codes) {
    const [, method, path] = /^(GET|POST|PUT|PATCH|DELETE)(?: (\/\S*))?$/.exec(code) ?? []
    if (method === undefined) continue
    waiting.push(method)
    if (path === undefined) continue
    endpoints.push(...waiting.map((each) => `${each} ${path}`))
    waiting = []
  }
  return endpoints
}
