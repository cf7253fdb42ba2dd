import { type RealmProjection, realmProjection } from '@tms/contracts'
import { showCustomEmoji } from '../parts/custom-emoji.ts'
import { showEmailDomain } from '../parts/email-domain.ts'
import { showLinkifier } from '../parts/linkifier.ts'
import { showProfileField } from '../parts/profile-field.ts'
import { iconUrlOf } from '../parts/realm-pictures.ts'
import type { Organization } from './realm.queries.ts'
import { readSettings } from './stored-settings.ts'

/** What other services project of an organization, with the settings that the contract names. */
export function toRealmProjection(realm: Organization): RealmProjection {
  return realmProjection.parse({
    ...readSettings(realm),
    realm_id: realm.id,
    string_id: realm.stringId,
    url: realm.url,
    is_active: realm.isActive,
    icon_url: iconUrlOf(realm),
    linkifiers: realm.linkifiers.map(showLinkifier),
    custom_emoji: realm.customEmoji.map(showCustomEmoji),
    email_domains: realm.emailDomains.map(showEmailDomain),
    custom_profile_fields: realm.profileFields.map(showProfileField),
    version: realm.version,
  })
}
