import type { RealmProjection, UserProjection } from '@tms/contracts'
import type { KnownGroup } from '../groups/known-group.queries.ts'

export type KnownUser = UserProjection

/**
 * Reads users and organizations: from the projections, and from the owning service if one is missing there. It uses
 * its own connections, so call it before a transaction, not inside one. Results are as of the beginning of the
 * request, or newer.
 */
export interface ProjectionReader {
  /** Throws SERVICE_UNAVAILABLE if the realm is unknown here and its owner does not answer. */
  getRealm(realmId: number): Promise<RealmProjection>
  /** Throws BAD_REQUEST for an unknown user. */
  getUser(userId: number): Promise<KnownUser>
  /** By ID, of any organization. Doesn't call the owning service; users who aren't in the projection are left out. */
  listProjectedUsers(userIds: readonly number[]): Promise<KnownUser[]>
  /** By ID. Unknown users and users of another organization are left out. */
  findUsersByIds(realmId: number, userIds: readonly number[]): Promise<Map<number, KnownUser>>
  /** Keys are the API e-mail addresses in lower case. Unknown ones are left out. */
  findUsersByEmails(realmId: number, emails: readonly string[]): Promise<Map<string, KnownUser>>
  /**
   * The system bot, which sends notices. Throws SERVICE_UNAVAILABLE if it is unknown here and users does not answer.
   */
  getSystemBot(realmId: number): Promise<KnownUser>
  /**
   * The channel that a bot posts in if it names none; null for none. Requested from users each time, since few bots
   * need it. Throws SERVICE_UNAVAILABLE if users does not answer.
   */
  findDefaultChannel(botId: number): Promise<number | null>
  /** IDs of the users who have muted a user. */
  listMuters(realmId: number, userId: number): Promise<readonly number[]>
  /** IDs of the users whose alert words a text contains, whether or not they receive it. */
  findAlerted(realmId: number, content: string): Promise<number[]>
  /** By `caseKey` of the full name, from the projection only, because a text may name anything. */
  findUsersByNames(realmId: number, nameKeys: readonly string[]): Promise<KnownUser[]>
  /** By `caseKey` of the name. While users does not answer, only groups that are known here. */
  findGroupsByNames(realmId: number, nameKeys: readonly string[]): Promise<KnownGroup[]>
}

/** The fields of a user that a message record contains. */
export type ShownUser = Pick<KnownUser, 'user_id' | 'email' | 'full_name' | 'avatar_url' | 'is_gravatar'>
