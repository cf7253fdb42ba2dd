import { Role } from '@tms/contracts'

/** SQL expressions of the columns that decide who may access a channel. */
interface OpennessSql {
  readonly isWebPublic: string
  readonly inviteOnly: string
}

/**
 * SQL: whether a user who is not subscribed may access the content of a channel, as `canAccessChannel` decides for
 * one user. `role` is an SQL expression too; null if the user is unknown.
 */
export const canAccessUnsubscribedSql = ({ isWebPublic, inviteOnly }: OpennessSql, role: string): string =>
  `(${isWebPublic} or (not ${inviteOnly} and coalesce(${role} <= ${Role.member}, false)))`

/**
 * SQL: the last published role of a user. It decides, so that results fit the events that the user's clients have
 * received.
 */
export const PUBLISHED_ROLE = 'known_users.published_role'

/** SQL expressions of the columns that decide who may see a channel. */
interface VisibilitySql extends OpennessSql {
  readonly isArchived: string
  /** Null if the user never subscribed. */
  readonly isSubscribed: string
}

/**
 * SQL: whether the clients of a user know a channel, as `canSeeChannel` decides for one user. `role` is an SQL
 * expression too; a user who is not known yet is a new member.
 */
export const canSeeChannelSql = (
  { isArchived, isWebPublic, inviteOnly, isSubscribed }: VisibilitySql,
  role: string,
): string =>
  `(not ${isArchived}
    and (${isWebPublic} or coalesce(${isSubscribed}, false)
         or coalesce(${role}, ${Role.member})
            <= case when ${inviteOnly} then ${Role.administrator} else ${Role.member} end))`
