import { actedOnSettings, type UserProjection } from '@tms/contracts'
import { settingsOf } from '../settings/user-settings.ts'
import type { Account } from './account.queries.ts'
import { avatarUrlOf, isClientGravatar } from './avatar.ts'
import { alertWordsOf, mutedUsersOf } from './json-columns.ts'

/** What other services store of a user. */
export function toUserProjection(account: Account): UserProjection {
  return {
    user_id: account.id,
    realm_id: account.realmId,
    email: account.email,
    full_name: account.fullName,
    role: account.role,
    is_bot: account.isBot,
    is_active: account.isActive,
    avatar_url: avatarUrlOf(account),
    is_gravatar: isClientGravatar(account),
    date_joined: Math.floor(account.dateJoined.getTime() / 1000),
    bot_owner_id: account.botOwnerId,
    bot_type: account.botType,
    is_system_bot: account.isSystemBot,
    email_address_visibility: account.emailAddressVisibility,
    settings: actedOnSettings.parse(settingsOf(account)),
    timezone: account.timezone,
    alert_words: alertWordsOf(account),
    muted_user_ids: mutedUsersOf(account).map(({ id }) => id),
    has_push_devices: account.hasPushDevices,
    version: account.version,
  }
}
