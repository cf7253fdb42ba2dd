import { systemGroupIds } from '@tms/contracts'
import type { Realm } from '../realms/realm.queries.ts'
import { iconUrlOf } from '../realms/realm-icon.ts'
import { realmSettings } from '../realms/realm-settings.ts'
import { groupOfPolicy } from './group-of-policy.ts'
import { DEFAULT_JITSI_URL } from './video-calls.ts'

/** Keys of the fetch type `realm` that are the organization's own. */
export function realmKeys(realm: Realm): Record<string, unknown> {
  const { create_multiuse_invite_group, can_access_all_users_group, ...settings } = realmSettings.parse(
    realm.settings,
  )
  const prefixed = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`realm_${name}`, value]),
  )
  return {
    ...prefixed,
    realm_name: realm.name,
    realm_description: realm.description,
    realm_url: realm.url,
    realm_uri: realm.url,
    realm_date_created: Math.floor(realm.createdAt.getTime() / 1000),
    realm_bot_domain: new URL(realm.url).hostname,

    realm_mandatory_topics: realm.mandatoryTopics,
    realm_waiting_period_threshold: realm.waitingPeriodThreshold,
    realm_create_public_stream_policy: realm.createPublicStreamPolicy,
    realm_create_private_stream_policy: realm.createPrivateStreamPolicy,
    realm_create_web_public_stream_policy: realm.createWebPublicStreamPolicy,
    realm_invite_to_stream_policy: realm.inviteToStreamPolicy,
    realm_wildcard_mention_policy: realm.wildcardMentionPolicy,
    realm_private_message_policy: realm.privateMessagePolicy,

    // Clients of levels 264, 266 and 270 on read groups where older ones read the policies above.
    realm_can_create_public_channel_group: groupOfPolicy(realm.createPublicStreamPolicy),
    realm_can_create_private_channel_group: groupOfPolicy(realm.createPrivateStreamPolicy),
    realm_direct_message_initiator_group: systemGroupIds['role:everyone'],
    realm_direct_message_permission_group:
      systemGroupIds[realm.privateMessagePolicy === 1 ? 'role:everyone' : 'role:nobody'],
    realm_create_multiuse_invite_group: systemGroupIds[create_multiuse_invite_group],
    realm_can_access_all_users_group: systemGroupIds[can_access_all_users_group],

    realm_icon_url: iconUrlOf(realm),
    realm_icon_source: 'G',
    // D: the default logo, which is the client's own.
    realm_logo_url: '',
    realm_logo_source: 'D',
    realm_night_logo_url: '',
    realm_night_logo_source: 'D',
    jitsi_server_url: settings.jitsi_server_url ?? DEFAULT_JITSI_URL,
    // NOTE: nothing is served there until realm keeps emoji; clients go on with the emoji they know.
    server_emoji_data_url: `${realm.url}/static/emoji-data.json`,
  }
}
