import { z } from 'zod'

/** What a new account gets from its invitation. */
export const joining = z.object({
  /** Channels that the user is subscribed to, except those archived meanwhile. */
  stream_ids: z.array(z.int()),
  /** The user who chose them: private ones count only if the inviter is still in them. Absent if none were chosen. */
  inviter_id: z.int().optional(),
  /** Whether the organization's default channels are added. */
  with_default_streams: z.boolean(),
  /** The user who is informed by a direct message; null means nobody. */
  notify_user_id: z.int().nullable(),
})
export type Joining = z.output<typeof joining>
