import {
  allows,
  canSeeAllUsers,
  emailHostOf,
  emailOfId,
  type RealmProjection,
  Role,
  restrictsGuestVisibility,
  UNKNOWN_USER_AVATAR,
  UNKNOWN_USER_NAME,
  userRules,
} from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { KnownUser, ProjectionReader, ShownUser } from '../projections/projection-reader.ts'
import { listGuestsNotSeeingAll, listInvisibleUsers } from './sharing.queries.ts'

type Realm = Pick<RealmProjection, 'can_access_all_users_group'>

/** Whether a user is invisible to guests of the organization who share neither a channel nor a conversation with them. */
export const isHiddenFromGuests = (realm: Realm, { is_bot }: Pick<KnownUser, 'is_bot'>): boolean =>
  !allows(userRules.see, {
    role: Role.guest,
    isRestricted: restrictsGuestVisibility(realm),
    isSelf: false,
    isBot: is_bot,
    isConnected: false,
  })

/** The user who looks at others. */
interface Viewer {
  readonly userId: number
  readonly role: number
}

/**
 * IDs of the users that are invisible to the viewer: for a guest with restricted visibility, all users without a
 * shared channel or conversation, except bots. Costs a query for such guests, and nothing for everyone else.
 */
export async function findInvisibleIds(
  db: Queryable,
  realm: RealmProjection,
  { userId, role }: Viewer,
  users: Iterable<Pick<KnownUser, 'user_id' | 'is_bot'>>,
): Promise<ReadonlySet<number>> {
  const viewer = { role, isRestricted: restrictsGuestVisibility(realm), isConnected: false }
  if (canSeeAllUsers(role, viewer.isRestricted)) return new Set()
  const others = [...users].filter(
    (user) => !allows(userRules.see, { ...viewer, isSelf: user.user_id === userId, isBot: user.is_bot }),
  )
  return new Set(await listInvisibleUsers(db, userId, idsOf(others)))
}

interface LookupContext {
  readonly db: Queryable
  readonly projections: Pick<ProjectionReader, 'findUsersByEmails' | 'findUsersByIds' | 'getRealm'>
}

/** Users by ID, without those invisible to the viewer. */
export async function findVisibleByIds(
  context: LookupContext,
  viewer: Viewer & { readonly realmId: number },
  userIds: readonly number[],
): Promise<Map<number, KnownUser>> {
  return excludeInvisible(context, viewer, await context.projections.findUsersByIds(viewer.realmId, userIds))
}

/** The same by API e-mail address. */
export async function findVisibleByEmails(
  context: LookupContext,
  viewer: Viewer & { readonly realmId: number },
  emails: readonly string[],
): Promise<Map<string, KnownUser>> {
  return excludeInvisible(
    context,
    viewer,
    await context.projections.findUsersByEmails(viewer.realmId, emails),
  )
}

async function excludeInvisible<K>(
  { db, projections }: LookupContext,
  viewer: Viewer & { readonly realmId: number },
  found: Map<K, KnownUser>,
): Promise<Map<K, KnownUser>> {
  const invisible = await findInvisibleIds(
    db,
    await projections.getRealm(viewer.realmId),
    viewer,
    found.values(),
  )
  return invisible.size === 0 ? found : new Map([...found].filter(([, user]) => !invisible.has(user.user_id)))
}

/** An audience without the guests who don't see all users that are shown to it. */
export async function excludeGuestsNotSeeingAll(
  db: Queryable,
  realm: RealmProjection,
  audience: readonly KnownUser[],
  shown: readonly KnownUser[],
): Promise<readonly KnownUser[]> {
  const isRestricted = restrictsGuestVisibility(realm)
  const guests = audience.filter(({ role }) => !canSeeAllUsers(role, isRestricted))
  const shownUsers = shown.filter((user) => isHiddenFromGuests(realm, user))
  const excluded = new Set(await listGuestsNotSeeingAll(db, idsOf(guests), idsOf(shownUsers)))
  return audience.filter(({ user_id }) => !excluded.has(user_id))
}

const idsOf = (users: readonly Pick<KnownUser, 'user_id'>[]): number[] => users.map(({ user_id }) => user_id)

/** A placeholder for a user who is invisible to the guest. */
export function presentInvisibleUser(userId: number, { url }: Pick<RealmProjection, 'url'>): ShownUser {
  return {
    user_id: userId,
    email: emailOfId(userId, emailHostOf(new URL(url).hostname)),
    full_name: UNKNOWN_USER_NAME,
    avatar_url: UNKNOWN_USER_AVATAR,
    is_gravatar: false,
  }
}
