import type { PresenceAccount } from '../kernel/presence/presence-accounts.queries.ts'
import type { AccountsById } from '../kernel/presence/presence-accounts.ts'
import type { SeenUser, SeenUsers } from '../kernel/presence/seen-users.ts'
import { legacyPresenceOf, modernPresenceOf } from './presence.rules.ts'

/** Keyed by user ID, or by e-mail address for older clients. */
export type PresenceFormat = 'modern' | 'legacy'

interface TextOfUser {
  readonly account: PresenceAccount
  readonly text: string
}

interface JoinedText {
  readonly version: number
  readonly accounts: AccountsById
  /** The oldest update that is included; null for none. */
  readonly firstUpdateId: number | null
  readonly text: string
}

/** Rendered entries, which live as long as what they are made from. */
const entries: Readonly<Record<PresenceFormat, WeakMap<SeenUser, TextOfUser>>> = {
  modern: new WeakMap(),
  legacy: new WeakMap(),
}
const joined = new WeakMap<SeenUsers, Map<string, JoinedText>>()

interface Selection {
  readonly format: PresenceFormat
  /** Users are included whose last update is newer: a time in milliseconds. */
  readonly after: number
  /** Length of the history, by which `after` moves on. */
  readonly historySeconds: number | null
}

/**
 * `presences` as JSON: those seen users who have an active account. For viewers who see everyone the text is made
 * once for each change, however many ask for it.
 */
export function presencesText(
  seen: SeenUsers,
  accounts: AccountsById,
  { format, after, historySeconds }: Selection,
  canSee: ((userId: number) => boolean) | null,
): string {
  if (canSee !== null) return join(seen, accounts, { format, after }, canSee).text
  const texts = joined.get(seen) ?? new Map<string, JoinedText>()
  joined.set(seen, texts)
  const key = `${format} ${historySeconds}`
  const cached = texts.get(key)
  const isValid =
    cached?.version === seen.version &&
    cached.accounts === accounts &&
    (cached.firstUpdateId === null || cached.firstUpdateId > after)
  if (isValid) return cached.text
  const made = { version: seen.version, accounts, ...join(seen, accounts, { format, after }, () => true) }
  texts.set(key, made)
  return made.text
}

function join(
  seen: SeenUsers,
  accounts: AccountsById,
  { format, after }: Pick<Selection, 'format' | 'after'>,
  canSee: (userId: number) => boolean,
): Pick<JoinedText, 'text' | 'firstUpdateId'> {
  const texts: string[] = []
  let firstUpdateId: number | null = null
  for (const user of seen.users.values()) {
    const account = accounts.get(user.userId)
    if (user.updateId <= after || !account?.isPresent || !canSee(user.userId)) continue
    firstUpdateId = Math.min(firstUpdateId ?? user.updateId, user.updateId)
    texts.push(textOf(user, account, format))
  }
  return { text: `{${texts.join(',')}}`, firstUpdateId }
}

function textOf(user: SeenUser, account: PresenceAccount, format: PresenceFormat): string {
  const cached = entries[format].get(user)
  if (cached?.account === account) return cached.text
  const text =
    format === 'modern'
      ? `"${account.id}":${JSON.stringify(modernPresenceOf(user, account))}`
      : `${JSON.stringify(account.email)}:${JSON.stringify(legacyPresenceOf(user))}`
  entries[format].set(user, { account, text })
  return text
}
