import type { Context } from '../kernel/context.ts'
import {
  findVisibility,
  UNRESTRICTED_VISIBILITY,
  type Viewer,
} from '../kernel/guest-visibility/user-visibility.ts'
import type { AccountsById } from '../kernel/presence/presence-accounts.ts'
import type { SeenUsers } from '../kernel/presence/seen-users.ts'
import { type PresenceFormat, presencesText } from './presence-texts.ts'

/** Which presence is read, and how it is shown. */
interface Asked {
  readonly at: Date
  readonly format: PresenceFormat
  /** Users are shown who were seen within so long; null for any time. */
  readonly historySeconds: number | null
  /** Accounts that were read for this request already. */
  readonly accounts?: AccountsById | null
}

/** `presences` as JSON, and up to which update it is. Rejects if Redis is down. */
export async function readPresences(
  context: Pick<Context, 'db' | 'presence' | 'presenceAccounts'>,
  viewer: Viewer,
  asked: Asked & { readonly historySeconds: number },
): Promise<{ readonly text: string; readonly lastUpdateId: number }> {
  const { at, historySeconds } = asked
  const { seen } = await context.presence.noteAndReadAll(viewer.realmId, at, { user: null, historySeconds })
  const { lastUpdateId } = seen
  return { text: await renderPresences(context, viewer, seen, asked), lastUpdateId }
}

/** `presences` as JSON: the seen users that the viewer may see. */
export async function renderPresences(
  { db, presenceAccounts }: Pick<Context, 'db' | 'presenceAccounts'>,
  viewer: Viewer,
  seen: SeenUsers,
  { at, format, historySeconds, accounts: known = null }: Asked,
): Promise<string> {
  if (seen.users.size === 0) return '{}'
  const userIds = [...seen.users.keys()]
  const isKnown = known !== null && userIds.every((userId) => known.has(userId))
  const [accounts, visibility] = await Promise.all([
    isKnown ? known : presenceAccounts.read(viewer.realmId, userIds),
    findVisibility(db, viewer),
  ])
  const after = historySeconds === null ? -1 : at.getTime() - historySeconds * 1000
  const seesAll = visibility === UNRESTRICTED_VISIBILITY
  const canSee = (id: number) => visibility.canSee({ id, isBot: false })
  return presencesText(seen, accounts, { format, after, historySeconds }, seesAll ? null : canSee)
}
