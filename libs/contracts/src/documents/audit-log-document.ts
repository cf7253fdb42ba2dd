import type { DomainEvent } from '../declarations/domain-event.ts'
import { auditRetentionDays } from '../realm/audit-log.ts'
import { signInRefusalReasons } from '../sign-on/refusal-reasons.ts'
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

## Read it

\`\`\`sh
# \`URL\` and \`KEY\` are those of the tour in the README.
LOG="$URL/api/v1/realm/audit_log"
# What was done to accounts since the beginning of 2026, the newest first
curl -sS -u "$KEY" -G "$LOG" -d target_type=user -d since=1767225600; echo
# Who didn't get in
curl -sS -u "$KEY" -G "$LOG" --data-urlencode 'actions=["sign_in_refused"]'; echo
# Everything, as a file
curl -sS -u "$KEY" -G "$LOG/export" -d format=jsonl -o audit-log.jsonl
# Entries are kept for a year
curl -sS -u "$KEY" -X PATCH "$URL/api/v1/realm" -d audit_log_retention_days=365; echo
\`\`\`

The answer has up to 100 entries (\`limit\`); for those before them, send the last one's \`id\` as \`before_id\`. All filters are in the
[API's documents](openapi.json). An action that there isn't, and a time that ends before it begins, are refused.

## Sign-ins

\`signed_in\` and \`sign_in_refused\` have the method in their details, by the name that sessions have: \`password\`, \`development\`,
\`oidc:staff\`, \`saml:corp\`, \`remoteuser\` or \`jwt\`. A refusal
names the account that it led to, if any, and its reason: the error code of the API for passwords and tokens, otherwise one of these.

${markdownTable(
  ['reason', 'meaning'],
  Object.entries(signInRefusalReasons).map(([reason, meaning]) => [`\`${reason}\``, meaning]),
)}

An answer that began at a provider which the organization doesn't have has no entry, so that nobody can make any there without it.
An answer that belongs to no sign-in under way here, because it came too late or twice, has no entry: nothing says which organization it
was for.

## Replies by mail

A message that came as a [reply by mail](operating.md#replies-by-mail) has no entry: it says itself what one would, its author, its time, and \`email\` as its \`client\`. Addresses for replies end with the API key, whose
replacement has one.

## Retention

The log is kept for as long as the organization exists, unless an owner sets \`audit_log_retention_days\` of \`PATCH /realm\`, from
${auditRetentionDays.min} days on, or from what the installation says (\`MIN_AUDIT_LOG_RETENTION_DAYS\`). Older entries are deleted within the hour. The
change is an entry itself, \`organization_updated\`. Export the log regularly if it must outlast an owner who sets this: what is older than
the new time is gone before anybody notices.

## Actions

${markdownTable(
  ['action', 'meaning'],
  entries.map(([action, meaning]) => [`\`${action}\``, meaning]),
)}

## Events without entries

${markdownTable(['event', 'why'], without)}
`
}
