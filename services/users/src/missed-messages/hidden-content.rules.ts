import type { RealmProjection } from '@tms/contracts'

/**
 * On whose behalf mails don't show messages; null if they do. The organization's setting is absent until the projection
 * of an earlier release is replaced: it may be that it forbids them.
 */
export function findHider(
  settings: Record<string, unknown>,
  realm: Pick<RealmProjection, 'message_content_allowed_in_email_notifications'>,
): 'organization' | 'user' | null {
  if (realm.message_content_allowed_in_email_notifications !== true) return 'organization'
  return settings['message_content_in_email_notifications'] === true ? null : 'user'
}
