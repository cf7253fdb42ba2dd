import { z } from 'zod'

/** What a new account brings along from whoever let it in. */
export const joining = z.object({
  /** Channels that the user is subscribed to, but for those archived meanwhile. */
  stream_ids: z.array(z.int()),
  /** Who chose them: of private ones, only those count that they are in by then. Absent for who chose none. */
  inviter_id: z.int().optional(),
  /** The organization's default channels as well. */
  with_default_streams: z.boolean(),
  /** Who is told of it in a direct message; null is nobody. */
  notify_user_id: z.int().nullable(),
})
export type Joining = z.output<typeof joining>
