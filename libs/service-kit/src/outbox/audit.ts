import { type AuditEntry, boundAuditDetails, type DomainEvent, type LogEntry } from '@tms/contracts'
import { currentOrigin, type Origin } from '../origin/origin.ts'

/** What an event brings to the audit log. */
export interface Audited {
  readonly origin: Origin
  readonly entries: readonly AuditEntry[]
}

/** An event as the stream of the audit log brings it: without its payload. */
export interface AuditedEvent extends Omit<LogEntry, 'payload'> {
  readonly audit: Audited
}

/** The entries of an event, with who caused it, as JSON; null if it has none. */
export function auditOf({ audit }: DomainEvent, payload: unknown): string | null {
  if ('none' in audit) return null
  const entries = audit
    .entries(payload)
    .filter(({ target }) => target?.ids.length !== 0)
    .map((entry) => (entry.details ? { ...entry, details: boundAuditDetails(entry.details) } : entry))
  if (entries.length === 0) return null
  return JSON.stringify({ origin: currentOrigin(), entries } satisfies Audited)
}
