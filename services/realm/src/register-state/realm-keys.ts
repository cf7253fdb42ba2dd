import { endpoints, realmPicture } from '@tms/contracts'
import { DEFAULT_JITSI_URL } from '../calls/call-providers.ts'
import { showPicture } from '../kernel/parts/realm-pictures.ts'
import type { Realm } from '../kernel/realms/realm.queries.ts'
import { showSettings } from '../kernel/realms/shown-settings.ts'
import { readSettings } from '../kernel/realms/stored-settings.ts'

/** Keys of the fetch type `realm` that are the organization's own. */
export function realmKeys(realm: Realm): Record<string, unknown> {
  const settings = readSettings(realm)
  const prefixed = Object.fromEntries(
    Object.entries(showSettings(settings)).map(([name, value]) => [`realm_${name}`, value]),
  )
  return {
    ...prefixed,
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
