import type { DomainEvent } from '../declarations/domain-event.ts'
import { markdownTable } from './markdown-table.ts'

/** `docs/audit-log.md`: which actions have entries, and which events have none. */
export function auditLogDocument(events: readonly DomainEvent[]): string {
  const actions = new Map<string, string>()
  for (const { audit } of events)
    if (!('none' in audit))
      for (const [action, meaning] of Object.entries(audit.actions)) actions.set(action, meaning)
  const entries = [...actions].sort(([a], [b]) => (a < b ? -1 : 1))
  const without = events.flatMap(({ name, audit }) => ('none' in audit ? [[`\`${name}\``, audit.none]] : []))
  return `# Audit log

For administrators and operators: who did what, when and from where, in each organization. \`GET /realm/audit_log\` lists entries,
\`GET /realm/audit_log/export\` returns them as CSV or JSON Lines; both are for administrators. [Decision 59](decisions/0059-audit-log.md) has the
reasons. \`node tools/api-documents.ts\` writes this page from the events of \`libs/contracts\`.

## Actions

${markdownTable(
  ['action', 'meaning'],
  entries.map(([action, meaning]) => [`\`${action}\``, meaning]),
)}

## Events without entries

${markdownTable(['event', 'why'], without)}
`
}
