import {
  type AuthenticationMethod,
  enabledMethods,
  endpoints,
  realmPicture,
  takesPasswords,
} from '@tms/contracts'
import { DEFAULT_JITSI_URL } from '../calls/call-providers.ts'
import { showPicture } from '../kernel/parts/realm-pictures.ts'
import type { Realm } from '../kernel/realms/realm.queries.ts'
import { showSettings } from '../kernel/realms/shown-settings.ts'
import { readSettings } from '../kernel/realms/stored-settings.ts'

/**
 * Keys of the fetch type `realm` that are the organization's own. `available` are the authentication methods that the
 * installation offers it.
 */
export function realmKeys(realm: Realm, available: readonly AuthenticationMethod[]): Record<string, unknown> {
  const settings = readSettings(realm)
  const enabled = enabledMethods(available, settings.disabled_authentication_methods)
  const prefixed = Object.fromEntries(
    Object.entries(showSettings(settings, { available, hiddenMemberIds: realm.hiddenMemberIds })).map(
      ([name, value]) => [`realm_${name}`, value],
    ),
  )
  return {
    ...prefixed,
    realm_email_auth_enabled: enabled.includes('Email'),
    realm_password_auth_enabled: takesPasswords(enabled),
    realm_url: realm.url,
    realm_uri: realm.url,
    realm_date_created: Math.floor(realm.createdAt.getTime() / 1000),
    realm_bot_domain: new URL(realm.url).hostname,

    ...pictureKeys(realm),
    jitsi_server_url: settings.jitsi_server_url ?? DEFAULT_JITSI_URL,
    server_emoji_data_url: `${realm.url}${endpoints.realm.getEmojiData.path}`,
  }
}

function pictureKeys(realm: Realm): Record<string, string> {
  return Object.fromEntries(
    realmPicture.options.flatMap((picture) => {
      const { url, source } = showPicture(realm, picture)
      return [
        [`realm_${picture}_url`, url],
        [`realm_${picture}_source`, source],
      ]
    }),
  )
}
