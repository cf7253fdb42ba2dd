import type { RealmFacts } from '@tms/contracts'
import type { Realm } from './realm.queries.ts'

/** What other services keep of an organization. */
export function toRealmFacts(realm: Realm): RealmFacts {
  return {
    realm_id: realm.id,
    string_id: realm.stringId,
    name: realm.name,
    url: realm.url,
    is_active: realm.isActive,
    mandatory_topics: realm.mandatoryTopics,
    waiting_period_threshold: realm.waitingPeriodThreshold,
    create_public_stream_policy: realm.createPublicStreamPolicy,
    create_private_stream_policy: realm.createPrivateStreamPolicy,
    create_web_public_stream_policy: realm.createWebPublicStreamPolicy,
    invite_to_stream_policy: realm.inviteToStreamPolicy,
    wildcard_mention_policy: realm.wildcardMentionPolicy,
    private_message_policy: realm.privateMessagePolicy,
    version: realm.version,
  }
}
