import { emailHostOf, emailOfId, type RealmFacts, UNKNOWN_USER_AVATAR, unknownUser } from '@tms/contracts'
import type { KnownUser } from '../directory/directory.ts'
import type { ShownUser } from '../messages/message-record.ts'

type Realm = Pick<RealmFacts, 'url'>

/** What addresses that are made of IDs end in. */
export const emailHostIn = ({ url }: Realm): string => emailHostOf(new URL(url).hostname)

/** What spectators are shown of a user who wrote or reacted: a name and a picture; the address is made of the ID. */
export function showToSpectator(user: ShownUser, realm: Realm): ShownUser {
  return {
    user_id: user.user_id,
    email: emailOfId(user.user_id, emailHostIn(realm)),
    full_name: user.full_name,
    avatar_url: pictureOf(user),
    is_gravatar: false,
  }
}

/** An uploaded picture is open to everyone. The URL of a gravatar has the hash of an e-mail address, which can be guessed from it. */
const pictureOf = ({ avatar_url }: ShownUser): string =>
  avatar_url.startsWith('/user_avatars/') ? avatar_url : UNKNOWN_USER_AVATAR

/** The same as a user's record, of which everything else is as of someone unknown. */
export function spectatorUserRecord(user: KnownUser, realm: Realm): object {
  const { is_active: _, ...nobody } = unknownUser(user.user_id, emailHostIn(realm), {
    withProfileData: false,
  })
  const { full_name, avatar_url } = showToSpectator(user, realm)
  const system = user.is_system_bot ? { is_system_bot: true } : {}
  return { ...nobody, full_name, avatar_url, is_bot: user.is_bot, ...system }
}

/** The ID in an address that `showToSpectator` made; null for any other, so that nobody finds out whose address one is. */
export function userIdIn(email: string, realm: Realm): number | null {
  const id = Number(/^user(\d{1,15})@/.exec(email)?.[1] ?? Number.NaN)
  return email.toLowerCase() === emailOfId(id, emailHostIn(realm)).toLowerCase() ? id : null
}
