import { z } from 'zod'

/** What a new account brings along from whoever let it in. */
export const joining = z.object({
  /** Channels that the user is subscribed to, those archived meanwhile left out. */
  stream_ids: z.array(z.int()),
  /** The organization's default channels as well. */
  with_default_streams: z.boolean(),
  /** Who is told of it in a direct message; null is nobody. */
  notify_user_id: z.int().nullable(),
})
export type Joining = z.output<typeof joining>
