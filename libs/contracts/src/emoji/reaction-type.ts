import { z } from 'zod'

/** Namespaces of emoji codes (API document, "Reaction"). */
export const reactionType = z.enum(['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'])
export type ReactionType = z.output<typeof reactionType>
