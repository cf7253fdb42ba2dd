import { AWAY_AFTER_SECONDS, quietUntil, type RealmProjection } from '@tms/contracts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import { settingsOf } from '../kernel/settings/user-settings.ts'
import { countNoticesOfHour } from '../pushes/hand-over.queries.ts'
import { appearanceOf } from '../pushes/hour-limit.rules.ts'
import { findHider } from './hidden-content.rules.ts'

/** What is in the way of notifications at the moment, each as a sentence: of mails, and of those to devices. */
interface CurrentObstacles {
  readonly mail: readonly string[]
  readonly push: readonly string[]
}

/** Lists what holds up or withholds notifications to an account now, though its settings allow them. */
export async function listCurrentObstacles(
  context: Context,
  account: Account,
  realm: RealmProjection,
): Promise<CurrentObstacles> {
  const settings = settingsOf(account)
  const now = context.now()
  const end = quietUntil(settings, account.timezone, now)
  const quiet = end === null ? [] : [`The user wants quiet until ${end.toISOString()}: all waits until then.`]
  const isActive = await isActiveNow(context, account, now)
  const active = `The user was active within the last ${AWAY_AFTER_SECONDS} seconds: what comes waits as long, and is dropped if they are active again.`
  const hider = findHider(settings, realm)
  const shown = (await countNoticesOfHour(context.db, [account.id], now)).get(account.id)
  const isLimited = appearanceOf(shown ?? { count: 0, isSummedUp: false }, context.pushes.perHour) === 'none'
  return {
    mail: [
      ...quiet,
      ...(isActive ? [active] : []),
      ...(hider === null
        ? []
        : [`Mails show no messages, and can't be answered: the ${hider} has turned that off.`]),
    ],
    push: [
      ...quiet,
      ...(isActive && settings['enable_online_push_notifications'] !== true ? [active] : []),
      ...(isLimited
        ? ['The user has had as many notifications as an hour may bring: nothing more appears within it.']
        : []),
    ],
  }
}

async function isActiveNow({ presence }: Context, { realmId, id }: Account, now: Date): Promise<boolean> {
  const [seen] = await presence.findAll(realmId, [id]).catch(() => [])
  return (seen?.activeAt ?? 0) >= now.getTime() / 1_000 - AWAY_AFTER_SECONDS
}
