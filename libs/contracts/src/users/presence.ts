import { z } from 'zod'

/** Seconds by which clients tell presence and read it; register says them. */
export const presenceTiming = {
  pingIntervalSeconds: 60,
  /** Who was last seen longer ago is offline. */
  offlineThresholdSeconds: 200,
} as const

/** Presence is told at once only where not more people than this would hear of it. */
export const maxPresenceAudience = 100

/** UNIX seconds: when someone last did something, and when a client of theirs was last there. */
export const modernPresence = z.object({ active_timestamp: z.int(), idle_timestamp: z.int() })
export type ModernPresence = z.output<typeof modernPresence>

const presenceStatus = z.enum(['active', 'idle'])
/** Presence in one client, as all clients are told it; the client is always `website`. */
export const clientPresence = z.object({
  client: z.string(),
  status: presenceStatus,
  /** UNIX seconds. */
  timestamp: z.int(),
  pushable: z.boolean(),
})

/** What clients of old know of someone: `aggregated` says the same as `website`. */
export const legacyPresence = z.object({
  aggregated: clientPresence.omit({ pushable: true }),
  website: clientPresence,
})
export type LegacyPresence = z.output<typeof legacyPresence>

/** What someone says of themselves; keys without a value are absent. */
export const userStatus = z.object({
  /** Mirrors `presence_enabled`, inverted. */
  away: z.literal(true).optional(),
  status_text: z.string().optional(),
  emoji_name: z.string().optional(),
  emoji_code: z.string().optional(),
  reaction_type: z.string().optional(),
})
export type UserStatus = z.output<typeof userStatus>

/** What is another in a status; an empty text clears. */
export const statusChange = z.object({
  status_text: z.string().optional(),
  emoji_name: z.string().optional(),
  emoji_code: z.string().optional(),
  reaction_type: z.string().optional(),
})
export type StatusChange = z.output<typeof statusChange>
