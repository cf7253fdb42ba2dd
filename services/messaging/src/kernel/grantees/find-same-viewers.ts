import type { ChannelGrantees } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import { listViewers } from './grantees.queries.ts'

/** The viewers of a channel for the event of a change that leaves them as they are. */
export async function findSameViewers(
  db: Queryable,
  channelId: number,
): Promise<{ viewers_before?: ChannelGrantees; viewers?: ChannelGrantees }> {
  const viewers = (await listViewers(db, [channelId])).get(channelId)
  return viewers ? { viewers_before: viewers, viewers } : {}
}
