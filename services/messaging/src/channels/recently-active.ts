import { domainEvents } from '@tms/contracts'
import { type Logger, type Loop, startLoop, transact } from '@tms/service-kit'
import { listChannelRecords } from '../kernel/channels/channel-record.queries.ts'
import type { Context } from '../kernel/context.ts'
import { findSameViewers } from '../kernel/grantees/find-same-viewers.ts'
import { lockRecipients } from '../kernel/locks/recipient-locks.queries.ts'
import { type ChannelActivity, listChangedActivity, setRecentlyActive } from './recently-active.queries.ts'

const DAY_MS = 86_400_000
/** Clients show quieter channels apart from the others. */
const ACTIVE_DAYS = 180

/** Publishes each day which channels have had no message lately, or have one again. Several replicas may run it. */
export function startActivityUpdates(context: ActivityContext, log: Logger): Loop {
  return startLoop({
    name: 'activity of channels',
    log,
    retryMs: 60_000,
    round: async (signal) => {
      await keepActivityOnce(context, signal)
      return DAY_MS
    },
  })
}

/** One round of it. */
export async function keepActivityOnce(context: ActivityContext, signal?: AbortSignal): Promise<void> {
  const since = new Date(context.now().getTime() - ACTIVE_DAYS * DAY_MS)
  for (const activity of await listChangedActivity(context.db, since)) {
    if (signal?.aborted) return
    await changeActivity(context, activity)
  }
}

type ActivityContext = Pick<Context, 'db' | 'publish' | 'now'>

/** Does nothing if another replica did it. */
async function changeActivity(
  { db, publish }: ActivityContext,
  { id, realmId, recipientId, isRecentlyActive }: ChannelActivity,
): Promise<void> {
  await transact(db, async (tx) => {
    await lockRecipients(tx, [recipientId])
    const [before] = await listChannelRecords(tx, [id])
    if (!before || before.is_recently_active === isRecentlyActive) return
    await setRecentlyActive(tx, id, isRecentlyActive)
    const channel = { ...before, is_recently_active: isRecentlyActive }
    const payload = { before, channel, subscribers: [], ...(await findSameViewers(tx, id)) }
    await publish(tx, domainEvents.messaging.channelUpdated, payload, { realmId, requestId: null })
  })
}
