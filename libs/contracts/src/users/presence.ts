import { z } from 'zod'

/** Intervals, in seconds, at which clients report and evaluate presence; register returns them. */
export const presenceTiming = {
  pingIntervalSeconds: 60,
  /** A user who was last active longer ago is offline. */
  offlineThresholdSeconds: 200,
  /** How far back lists of presence go unless a client asks for more or less. */
  defaultHistoryDays: 14,
} as const

/** Presence is published at once only if it has at most this many recipients. */
export const maxPresenceAudience = 100

/** UNIX seconds: when a user was last active, and when one of their clients was last connected. */
export const modernPresence = z.object({ active_timestamp: z.int(), idle_timestamp: z.int() })
export type ModernPresence = z.output<typeof modernPresence>

const presenceStatus = z.enum(['active', 'idle'])
/** Presence in one client, as all clients receive it; the client is always `website`. */
export const clientPresence = z.object({
  client: z.string(),
  status: presenceStatus,
  /** UNIX seconds. */
  timestamp: z.int(),
  pushable: z.boolean(),
})

/** Presence for older clients: `aggregated` repeats `website`. */
export const legacyPresence = z.object({
  aggregated: clientPresence.omit({ pushable: true }),
  website: clientPresence,
})
export type LegacyPresence = z.output<typeof legacyPresence>

/** A user's status; keys without a value are absent. */
export const userStatus = z.object({
  /** Mirrors `presence_enabled`, inverted. */
  away: z.literal(true).optional(),
  status_text: z.string().optional(),
  emoji_name: z.string().optional(),
  emoji_code: z.string().optional(),
  reaction_type: z.string().optional(),
})
export type UserStatus = z.output<typeof userStatus>

/** The changed parts of a status; an empty text clears. */
export const statusChange = z.object({
  status_text: z.string().optional(),
  emoji_name: z.string().optional(),
  emoji_code: z.string().optional(),
  reaction_type: z.string().optional(),
})
export type StatusChange = z.output<typeof statusChange>
