import type { HasRole } from './access-sql.ts'

type ChannelColumn = 'isArchived' | 'isWebPublic' | 'isPrivate' | 'sharesHistory'

/** SQL: the conditions of access rules that are columns of a channel. */
export const channelColumns = (table: string): Record<ChannelColumn, string> => ({
  isArchived: `${table}.is_archived`,
  isWebPublic: `${table}.is_web_public`,
  isPrivate: `${table}.invite_only`,
  sharesHistory: `${table}.history_public_to_subscribers`,
})

/**
 * SQL: the last published role of a user. It decides, so that results fit the events that the user's clients have
 * received.
 */
export const PUBLISHED_ROLE = 'known_users.published_role'

/** The same for a user whose row isn't joined. Unlike a subquery for the role, PostgreSQL can hash it for many users. */
export const publishedRoleOf =
  (userId: string): HasRole =>
  (role) =>
    `exists (select from known_users where known_users.user_id = ${userId} and ${PUBLISHED_ROLE} <= ${role})`
