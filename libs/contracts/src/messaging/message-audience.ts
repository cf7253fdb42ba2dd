import { z } from 'zod'
import type { Audience } from '../declarations/domain-event.ts'

/**
 * The audience of changes to a message: users who have it and may still see it and, if the channel's history is
 * shared, all subscribers. For a channel with shared history, the channel is named, and the users who have the
 * message without being subscribed are listed; otherwise all users who have the message are listed.
 */
export const messageHolders = z.object({
  /** The channel whose subscribers are all in the audience; null if they are not. */
  channel_id: z.int().nullable(),
  user_ids: z.array(z.int()),
})
export type MessageHolders = z.output<typeof messageHolders>

/** The selectors of the audience. */
export function audienceOfHolders({ channel_id, user_ids }: MessageHolders): Audience {
  const users = { kind: 'users', userIds: user_ids } as const
  return channel_id === null ? [users] : [users, { kind: 'channel', channelId: channel_id }]
}
