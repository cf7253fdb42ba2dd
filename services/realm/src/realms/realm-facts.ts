import type { RealmFacts } from '@tms/contracts'
import { showCustomEmoji } from '../emoji/custom-emoji.ts'
import { showLinkifier } from '../linkifiers/linkifier.ts'
import type { Organization } from './realm.queries.ts'
import { realmSettings } from './realm-settings.ts'

/** What other services keep of an organization. */
export function toRealmFacts(realm: Organization): RealmFacts {
  const settings = realmSettings.parse(realm.settings)
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
    edit_topic_policy: settings.edit_topic_policy,
    move_messages_between_streams_policy: settings.move_messages_between_streams_policy,
    delete_own_message_policy: settings.delete_own_message_policy,
    allow_message_editing: settings.allow_message_editing,
    allow_edit_history: settings.allow_edit_history,
    enable_read_receipts: settings.enable_read_receipts,
    enable_spectator_access: settings.enable_spectator_access,
    message_content_edit_limit_seconds: settings.message_content_edit_limit_seconds,
    message_content_delete_limit_seconds: settings.message_content_delete_limit_seconds,
    move_messages_within_stream_limit_seconds: settings.move_messages_within_stream_limit_seconds,
    move_messages_between_streams_limit_seconds: settings.move_messages_between_streams_limit_seconds,
    inline_image_preview: settings.inline_image_preview,
    default_code_block_language: settings.default_code_block_language,
    new_stream_announcements_stream_id: settings.new_stream_announcements_stream_id,
    linkifiers: realm.linkifiers.map(showLinkifier),
    custom_emoji: realm.customEmoji.map(showCustomEmoji),
    version: realm.version,
  }
}
