import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  allDomainEvents,
  allEndpoints,
  type DomainEvent,
  domainEvents,
  exportParts,
  type InternalEndpoint,
  internal,
  realmProjection,
  userGroupProjection,
  userProjection,
} from '../../libs/contracts/dist/index.js'
import { repoRoot } from '../repo-root.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** An item of a list: what identifies it, and how it is written. */
export interface ListItem {
  readonly key: string
  readonly text: string
}

const asCode = (key: string): ListItem => ({ key, text: `\`${key}\`` })

/** Endpoints that a service owns, by path: `GET`, `POST /messages`. */
export function servedToClients(service: string): ListItem[] {
  const methodsByPath = new Map<string, string[]>()
  for (const { owner, method, path } of allEndpoints)
    if (owner === service) methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), method])
  return [...methodsByPath].sort(byFirst).map(([path, methods]) => {
    const ordered = methods.toSorted((a, b) => METHODS.indexOf(a) - METHODS.indexOf(b))
    return {
      key: path,
      text: [...ordered.slice(0, -1), `${ordered.at(-1)} ${path}`].map(asCodeText).join(', '),
    }
  })
}

/** Paths of the calls by which other services, and operators, reach a service. */
export function servedToServices(service: string): ListItem[] {
  return Object.values(internal)
    .flatMap((owned): InternalEndpoint[] => Object.values(owned))
    .filter(({ owner }) => owner === service)
    .map(({ path }) => path)
    .sort()
    .map(asCode)
}

/**
 * Calls of other services that a service's code names: `internal.users.identify`. Those by which an export or an import reaches
 * the services that have a part of it are named without an owner: `exportCallsOf(part).exportFile`.
 */
export function calledServices(service: string): ListItem[] {
  const text = sourcesOf(service).join('\n').replaceAll('typeof internal', '')
  const exportCalls = new Set([...text.matchAll(/exportCallsOf\(\w+\)\.(\w+)/g)].map(([, name = '']) => name))
  return Object.entries(internal)
    .filter(([owner]) => owner !== service)
    .flatMap(([owner, declared]) => {
      const called = namedIn(text, `internal.${owner}`)
      const hasPart = exportParts.some((part) => part === owner)
      return Object.entries<InternalEndpoint>(declared)
        .filter(([name]) => called.has(name) || (hasPart && exportCalls.has(name)))
        .map(([, { path }]) => ({ key: path, text: `${owner} \`${path}\`` }))
    })
    .sort((one, other) => (one.text < other.text ? -1 : 1))
}

export const emittedEvents = (service: string): ListItem[] =>
  allDomainEvents
    .filter(({ producer }) => producer === service)
    .map(({ name }) => name)
    .sort()
    .map(asCode)

/**
 * Events of other services that a service's code names: `domainEvents.users.userCreated`. All events of a producer feed
 * projections, so those count that contain records.
 */
export function consumedEvents(service: string): ListItem[] {
  const text = sourcesOf(service).join('\n')
  return Object.entries(domainEvents)
    .filter(([producer]) => producer !== service)
    .flatMap(([producer, declared]) => {
      const named = namedIn(text, `domainEvents.${producer}`)
      const areAll = text.includes(`Object.values(domainEvents.${producer})`)
      const events: [string, DomainEvent][] = Object.entries(declared)
      return events.filter(([name, event]) => named.has(name) || (areAll && feedsProjections(event)))
    })
    .map(([, { name }]) => name)
    .sort()
    .map(asCode)
}

const projectionSources: readonly unknown[] = [realmProjection, userGroupProjection, userProjection]

/** Whether an event contains a projection source, or a list of them. */
function feedsProjections({ payload }: DomainEvent): boolean {
  const { shape = {} } = payload as { shape?: Readonly<Record<string, { element?: unknown }>> }
  return Object.values(shape).some(
    (type) => projectionSources.includes(type) || projectionSources.includes(type.element),
  )
}

/** What a text takes from a registry: `registry.name`, or `const { name, … } = registry`. */
function namedIn(text: string, registry: string): ReadonlySet<string> {
  const single = text.matchAll(new RegExp(`\\b${registry}\\.(\\w+)`, 'g'))
  const several = text.matchAll(new RegExp(`\\{([\\w\\s,]+)\\} = ${registry}\\b`, 'g'))
  return new Set([
    ...[...single].map(([, name = '']) => name),
    ...[...several].flatMap(([, names = '']) => names.split(',').map((name) => name.trim())),
  ])
}

const sourcesOf = (service: string): string[] =>
  listSources(join(repoRoot, 'services', service, 'src')).map((path) => readFileSync(path, 'utf8'))

function listSources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'generated' ? [] : listSources(path)
    return path.endsWith('.ts') && !path.endsWith('.test.ts') ? [path] : []
  })
}

const asCodeText = (text: string): string => `\`${text}\``
const byFirst = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)
