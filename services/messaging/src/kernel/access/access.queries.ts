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
 * SQL: what permissions on the channel of a row give a user, as last published; they matter in private channels only. `id` is
 * the channel's, if it isn't in the column of that name.
 */
export const grantColumns = (
  table: string,
  userId: string,
  id = `${table}.id`,
): Record<'isViewer' | 'isReader', string> => ({
  isViewer: grantOn({ table, id, userId }, 'viewer_role', ''),
  isReader: grantOn({ table, id, userId }, 'reader_role', ' and channel_grantees.is_reader'),
})

const grantOn = (
  { table, id, userId }: { readonly table: string; readonly id: string; readonly userId: string },
  role: string,
  condition: string,
): string => `(
  ${table}.invite_only
  and (exists (select
                 from channel_grantees
                where channel_grantees.channel_id = ${id}
                  and channel_grantees.user_id = ${userId}${condition})
       or (${table}.${role} > 0
           and exists (select
                         from known_users grantee
                        where grantee.user_id = ${userId}
                          and grantee.published_role <= ${table}.${role}))))`

/** SQL: whether a permission lets a user read a channel whose row isn't joined. */
export const isReaderOf = (channelId: string, userId: string): string => `
  exists (select from channels granting where granting.id = ${channelId} and ${grantColumns('granting', userId).isReader})`

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
