import { Role } from '@tms/contracts'

/** SQL expressions for what decides who may enter a channel. */
interface OpennessSql {
  readonly isWebPublic: string
  readonly inviteOnly: string
}

/**
 * SQL: whether someone who is not subscribed may use a channel's content, as `canAccessChannel` decides it for a
 * single user. `role` is an expression too, null for who isn't known.
 */
export const mayEnter = ({ isWebPublic, inviteOnly }: OpennessSql, role: string): string =>
  `(${isWebPublic} or (not ${inviteOnly} and coalesce(${role} <= ${Role.member}, false)))`

/** SQL: the role in `known_users` by which a user's clients have been told what is there. */
export const PUBLISHED_ROLE = 'known_users.published_role'

/** SQL expressions for what decides who may know of a channel. */
interface SightSql extends OpennessSql {
  readonly isArchived: string
  /** Null for who never subscribed. */
  readonly isSubscribed: string
}

/**
 * SQL: whether someone's clients know of a channel, as `canSeeChannel` decides it for a single user. `role` is an expression
 * too; who isn't known yet has just joined, as a member.
 */
export const knowsOf = (
  { isArchived, isWebPublic, inviteOnly, isSubscribed }: SightSql,
  role: string,
): string =>
  `(not ${isArchived}
    and (${isWebPublic} or coalesce(${isSubscribed}, false)
         or coalesce(${role}, ${Role.member})
            <= case when ${inviteOnly} then ${Role.administrator} else ${Role.member} end))`
