import {
  emailHostOf,
  emailOfId,
  type RealmProjection,
  Role,
  UNKNOWN_USER_AVATAR,
  UNKNOWN_USER_NAME,
} from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { Directory, KnownUser } from '../directory/directory.ts'
import type { ShownUser } from '../messages/message-record.ts'
import { listGuestsWithStrangers, listStrangers } from './sharing.queries.ts'

/** Whether the organization's guests see only some people. */
export function restrictsGuestVisibility({
  can_access_all_users_group,
}: Pick<RealmProjection, 'can_access_all_users_group'>): boolean {
  return can_access_all_users_group !== 'role:everyone'
}

/** For whom it is asked who may be seen. */
interface Viewer {
  readonly userId: number
  readonly role: number
}

/**
 * Those of the users whom someone doesn't see: of a guest whose sight is limited, everyone but bots with whom they
 * share nothing. Costs a query for such guests, and nothing for everyone else.
 */
export async function findUnknown(
  db: Queryable,
  realm: RealmProjection,
  { userId, role }: Viewer,
  users: Iterable<Pick<KnownUser, 'user_id' | 'is_bot'>>,
): Promise<ReadonlySet<number>> {
  if (role !== Role.guest || !restrictsGuestVisibility(realm)) return new Set()
  const people = [...users].filter((user) => !user.is_bot && user.user_id !== userId)
  return new Set(await listStrangers(db, userId, idsOf(people)))
}

/** What looking up users for someone takes. */
interface Looking {
  readonly db: Queryable
  readonly directory: Pick<Directory, 'findUsersByEmails' | 'findUsersByIds' | 'getRealm'>
}

/** Users by ID, as the directory finds them, without those whom the viewer doesn't see: they are as good as not there. */
export async function findSeenByIds(
  context: Looking,
  viewer: Viewer & { readonly realmId: number },
  userIds: readonly number[],
): Promise<Map<number, KnownUser>> {
  return onlySeen(context, viewer, await context.directory.findUsersByIds(viewer.realmId, userIds))
}

/** The same by API e-mail. */
export async function findSeenByEmails(
  context: Looking,
  viewer: Viewer & { readonly realmId: number },
  emails: readonly string[],
): Promise<Map<string, KnownUser>> {
  return onlySeen(context, viewer, await context.directory.findUsersByEmails(viewer.realmId, emails))
}

async function onlySeen<K>(
  { db, directory }: Looking,
  viewer: Viewer & { readonly realmId: number },
  found: Map<K, KnownUser>,
): Promise<Map<K, KnownUser>> {
  const unknown = await findUnknown(db, await directory.getRealm(viewer.realmId), viewer, found.values())
  return unknown.size === 0 ? found : new Map([...found].filter(([, user]) => !unknown.has(user.user_id)))
}

/** An audience without the guests who don't see all of those who are shown to it. */
export async function withoutStrangers(
  db: Queryable,
  realm: RealmProjection,
  audience: readonly KnownUser[],
  shown: readonly KnownUser[],
): Promise<readonly KnownUser[]> {
  if (!restrictsGuestVisibility(realm)) return audience
  const guests = audience.filter(({ role }) => role === Role.guest)
  const people = shown.filter((user) => !user.is_bot)
  const excluded = new Set(await listGuestsWithStrangers(db, idsOf(guests), idsOf(people)))
  return audience.filter(({ user_id }) => !excluded.has(user_id))
}

const idsOf = (users: readonly Pick<KnownUser, 'user_id'>[]): number[] => users.map(({ user_id }) => user_id)

/** What a guest is shown of someone whom they don't see. */
export function showUnknown(userId: number, { url }: Pick<RealmProjection, 'url'>): ShownUser {
  return {
    user_id: userId,
    email: emailOfId(userId, emailHostOf(new URL(url).hostname)),
    full_name: UNKNOWN_USER_NAME,
    avatar_url: UNKNOWN_USER_AVATAR,
    is_gravatar: false,
  }
}
