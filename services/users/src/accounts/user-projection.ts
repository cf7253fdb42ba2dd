import { actedOnSettings, type UserProjection } from '@tms/contracts'
import { alertWordsOf } from '../alert-words/alert-words.rules.ts'
import { mutedUsersOf } from '../muted-users/muted-users.rules.ts'
import { settingsOf } from '../settings/user-settings.ts'
import type { Person } from './account.queries.ts'
import { avatarUrlOf, isClientGravatar } from './avatar.ts'

/** What other services keep of a user. */
export function toUserProjection(person: Person): UserProjection {
  return {
    user_id: person.id,
    realm_id: person.realmId,
    email: person.email,
    full_name: person.fullName,
    role: person.role,
    is_bot: person.isBot,
    is_active: person.isActive,
    avatar_url: avatarUrlOf(person),
    is_gravatar: isClientGravatar(person),
    date_joined: Math.floor(person.dateJoined.getTime() / 1000),
    bot_owner_id: person.botOwnerId,
    bot_type: person.botType,
    is_system_bot: person.isSystemBot,
    email_address_visibility: person.emailAddressVisibility,
    settings: actedOnSettings.parse(settingsOf(person)),
    alert_words: alertWordsOf(person),
    muted_user_ids: mutedUsersOf(person).map(({ id }) => id),
    version: person.version,
  }
}
