import { type RealmProjection, realmProjection } from '@tms/contracts'
import { showEmailDomain } from '../email-domains/email-domain.ts'
import { showCustomEmoji } from '../emoji/custom-emoji.ts'
import { showLinkifier } from '../linkifiers/linkifier.ts'
import { iconUrlOf } from '../pictures/realm-pictures.ts'
import { showProfileField } from '../profile-fields/profile-field.ts'
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
