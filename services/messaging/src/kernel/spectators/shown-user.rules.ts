import {
  emailHostOf,
  emailOfId,
  type RealmProjection,
  UNKNOWN_USER_AVATAR,
  unknownUser,
} from '@tms/contracts'
import type { KnownUser, ShownUser } from '../projections/projection-reader.ts'

type Realm = Pick<RealmProjection, 'url'>

/** The host of addresses that are made of user IDs. */
export const emailHostIn = ({ url }: Realm): string => emailHostOf(new URL(url).hostname)

/** A user as spectators see them: name and picture; the address is made of the ID. */
export function showToSpectator(user: ShownUser, realm: Realm): ShownUser {
  return {
    user_id: user.user_id,
    email: emailOfId(user.user_id, emailHostIn(realm)),
    full_name: user.full_name,
    avatar_url: pictureOf(user),
    is_gravatar: false,
  }
}

/**
 * Uploaded pictures are public. The URL of a gravatar contains a hash of the e-mail address, which reveals the
 * address to anyone who guesses it.
 */
const pictureOf = ({ avatar_url }: ShownUser): string =>
  avatar_url.startsWith('/user_avatars/') ? avatar_url : UNKNOWN_USER_AVATAR

/** The same as a user record; all other fields are those of an unknown user. */
export function spectatorUserRecord(user: KnownUser, realm: Realm): object {
  const { is_active: _, ...nobody } = unknownUser(user.user_id, emailHostIn(realm), {
    withProfileData: false,
  })
  const { full_name, avatar_url } = showToSpectator(user, realm)
  const system = user.is_system_bot ? { is_system_bot: true } : {}
  return { ...nobody, full_name, avatar_url, is_bot: user.is_bot, ...system }
}

/**
 * The ID in an address that `showToSpectator` made; null for any other, so that spectators can't find out who has
 * an address.
 */
export function userIdIn(email: string, realm: Realm): number | null {
  const id = Number(/^user(\d{1,15})@/.exec(email)?.[1] ?? Number.NaN)
  return email.toLowerCase() === emailOfId(id, emailHostIn(realm)).toLowerCase() ? id : null
}
