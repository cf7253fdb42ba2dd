import { type Audience, allDomainEvents, type LogEntry } from '@tms/contracts'
import { allPresentations } from './all-presentations.ts'
import { fieldsOf, type Presentation } from './presentation.ts'

const presentations = new Map<string, Presentation>(
  allPresentations.map(({ event, presentation }) => [event.name, presentation]),
)

const declarations = new Map(allDomainEvents.map((event) => [event.name, event]))

/**
 * For events without a client event, and events of a newer release that runs beside this one. Its replicas append those to queues
 * whose polls are answered here: clients ignore a heartbeat but acknowledge it.
 */
const NOTHING: Presentation = { list: () => [], write: () => fieldsOf({ type: 'heartbeat' }) }

export function presentationOf(entry: LogEntry): Presentation {
  return presentations.get(entry.event) ?? NOTHING
}

export function canReachClients({ event }: LogEntry): boolean {
  return presentations.has(event)
}

export function audienceOf(entry: LogEntry): Audience {
  return canReachClients(entry) ? (declarations.get(entry.event)?.audience(entry.payload) ?? []) : []
}

/** The user that an entry is about, if only users who can see that user receive it; else null. */
export function subjectOf(entry: LogEntry): number | null {
  return declarations.get(entry.event)?.subject?.(entry.payload) ?? null
}
