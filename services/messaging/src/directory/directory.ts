import type { RealmProjection, UserProjection } from '@tms/contracts'
import type { KnownGroup } from '../groups/known-group.queries.ts'

export type KnownUser = UserProjection

/**
 * What messaging knows of users and organizations: a projection, with a read-through to the owner on a miss.
 * It uses connections of its own, so look up before opening a transaction, not within one. Answers are as of the beginning of the
 * request, or newer.
 */
export interface Directory {
  /** Throws SERVICE_UNAVAILABLE when the realm is unknown here and its owner does not answer. */
  getRealm(realmId: number): Promise<RealmProjection>
  /** Throws BAD_REQUEST for an unknown user. */
  getUser(userId: number): Promise<KnownUser>
  /** By ID; unknown ones, and those of another organization, are left out. */
  findUsersByIds(realmId: number, userIds: readonly number[]): Promise<Map<number, KnownUser>>
  /** Keys are the API e-mails in lower case; unknown ones are left out. */
  findUsersByEmails(realmId: number, emails: readonly string[]): Promise<Map<string, KnownUser>>
  /** The organization's own actor, which tells people what happened. Throws SERVICE_UNAVAILABLE when it is unknown here and users does not answer. */
  getSystemBot(realmId: number): Promise<KnownUser>
  /**
   * Where a bot sends to if it names no channel; null for nowhere. Asked of users each time, since few bots do that. Throws
   * SERVICE_UNAVAILABLE when users does not answer.
   */
  findDefaultChannel(botId: number): Promise<number | null>
  /** Who has muted a user. */
  listMuters(realmId: number, userId: number): Promise<readonly number[]>
  /** Whose alert words a text holds, whether they get it or not. */
  findAlerted(realmId: number, content: string): Promise<number[]>
  /** By full name in lower case, from the projection only: a text may name anything. */
  findUsersByNames(realmId: number, lowerNames: readonly string[]): Promise<KnownUser[]>
  /** By name in lower case. Only those that are known here already while users does not answer. */
  findGroupsByNames(realmId: number, lowerNames: readonly string[]): Promise<KnownGroup[]>
}
