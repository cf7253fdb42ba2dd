import { z } from 'zod'
import type { Audience } from '../domain-event.ts'

/**
 * Who is told what happens to a message: those who have it and may still see it, and where the channel's history is
 * shared, everyone who is subscribed. A channel with shared history is told as a whole, beside those who have the message without
 * being subscribed; of any other place, all who have the message are listed.
 */
export const messageHolders = z.object({
  /** The channel whose subscribers are all told; null where they are not. */
  channel_id: z.int().nullable(),
  user_ids: z.array(z.int()),
})
export type MessageHolders = z.output<typeof messageHolders>

/** The queues of those who are told. */
export function audienceOfHolders({ channel_id, user_ids }: MessageHolders): Audience {
  const users = { kind: 'users', userIds: user_ids } as const
  return channel_id === null ? [users] : [users, { kind: 'channel', channelId: channel_id }]
}
