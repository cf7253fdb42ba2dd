import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  allDomainEvents,
  allEndpoints,
  type DomainEvent,
  domainEvents,
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
  const sources = listSources(join(repoRoot, 'services', service, 'src')).map((path) =>
    readFileSync(path, 'utf8'),
  )
  return Object.entries(domainEvents)
    .filter(([producer]) => producer !== service)
    .flatMap(([producer, declared]) => {
      const names = namedIn(sources, producer)
      const events: [string, DomainEvent][] = Object.entries(declared)
      return events.filter(
        ([name, event]) => names.single.has(name) || (names.areAll && feedsProjections(event)),
      )
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

/** The events of a producer that sources name one by one, and whether they name all of them. */
function namedIn(
  sources: readonly string[],
  producer: string,
): { areAll: boolean; single: ReadonlySet<string> } {
  const text = sources.join('\n')
  const areAll = new RegExp(`Object\\.values\\(domainEvents\\.${producer}\\)`).test(text)
  const single = text.matchAll(new RegExp(`\\bdomainEvents\\.${producer}\\.(\\w+)`, 'g'))
  const several = text.matchAll(new RegExp(`\\{([\\w\\s,]+)\\} = domainEvents\\.${producer}\\b`, 'g'))
  const named = new Set([
    ...[...single].map(([, name = '']) => name),
    ...[...several].flatMap(([, names = '']) => names.split(',').map((name) => name.trim())),
  ])
  return { areAll, single: named }
}

function listSources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'generated' ? [] : listSources(path)
    return path.endsWith('.ts') && !path.endsWith('.test.ts') ? [path] : []
  })
}

const asCodeText = (text: string): string => `\`${text}\``
const byFirst = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)
