/** What the target of an action may be. IDs of other objects, such as linkifiers, are in the details. */
export const auditTargetTypes = [
  'organization',
  'user',
  'user_group',
  'channel',
  'message',
  'file',
  'export',
  'invitation',
  'invitation_link',
] as const
export type AuditTargetType = (typeof auditTargetTypes)[number]

/** An entry of the audit log as an event describes it. Who acted, and from where, is known to the request. */
export interface AuditEntry<Action extends string = string> {
  readonly action: Action
  /** What the action was about; several of a kind are in one entry, as far as it takes them. Absent: the organization as a whole. */
  readonly target?: { readonly type: AuditTargetType; readonly ids: readonly number[] }
  /** The channel or group that it happened in, if that isn't the target. */
  readonly channelId?: number
  readonly groupId?: number
  /** The user who acted, if the event knows that better than the request, such as one who signs in. */
  readonly actorId?: number
  /** Old and new values. Never keys, hashes or the content of messages. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** How an event's entries in the audit log look, or why it has none. */
export type Audit<Payload, Action extends string = string> =
  | { readonly none: string }
  | {
      /** The actions that its entries may have, and what each means. */
      readonly actions: Readonly<Record<Action, string>>
      entries(payload: Payload): readonly AuditEntry<NoInfer<Action>>[]
    }

/** Longer details, in characters of JSON, are truncated: an entry must fit into answers, and into the memory of readers. */
export const MAX_AUDIT_DETAILS_LENGTH = 10_000
const ELLIPSIS = '…'

/**
 * Details that are no longer than they may be. Of long ones, values that are longer than their share become the beginning of their
 * JSON, and `truncated` names them.
 */
export function boundAuditDetails(
  details: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (JSON.stringify(details).length <= MAX_AUDIT_DETAILS_LENGTH) return details
  const entries = Object.entries(details).filter(([, value]) => value !== undefined)
  // JSON of the JSON has at most two characters for each, as quotation marks and backslashes do.
  const share = Math.floor(MAX_AUDIT_DETAILS_LENGTH / (2 * entries.length + 2))
  const truncated: string[] = []
  const bounded = entries.map(([name, value]): [string, unknown] => {
    const json = JSON.stringify(value)
    if (json.length <= share) return [name, value]
    truncated.push(name)
    // Half of a character that takes two is no text.
    return [name, `${json.slice(0, share).replace(/[\uD800-\uDBFF]$/, '')}${ELLIPSIS}`]
  })
  return { ...Object.fromEntries(bounded), truncated }
}

/** Those of the named properties that differ, before and afterwards; null if none does. */
export function auditedChanges<Name extends string>(
  before: Readonly<Partial<Record<Name, unknown>>>,
  after: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
): { before: Record<string, unknown>; after: Record<string, unknown> } | null {
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  if (changed.length === 0) return null
  const pick = (from: Readonly<Partial<Record<Name, unknown>>>) =>
    Object.fromEntries(changed.map((name) => [name, from[name] ?? null]))
  return { before: pick(before), after: pick(after) }
}
