import type { Realm } from './realm.queries.ts'

/** How notifications reach apps: not at all, directly, or through a service that decides for each organization. */
export type MobilePush = 'none' | 'direct' | 'relay'

/** Whether an organization's apps get notifications, and until when, by their names without `realm_`. */
export function showPushState(
  realm: Pick<Realm, 'isPushRefused' | 'pushEnd'>,
  mobilePush: MobilePush,
): {
  readonly push_notifications_enabled: boolean
  readonly push_notifications_enabled_end_timestamp: number | null
} {
  const isRelayed = mobilePush === 'relay'
  return {
    push_notifications_enabled: mobilePush !== 'none' && !(isRelayed && realm.isPushRefused),
    push_notifications_enabled_end_timestamp: isRelayed ? realm.pushEnd : null,
  }
}

/** How notifications reach apps if these are named as getting some. */
export function mobilePushOf(apps: readonly string[]): MobilePush {
  if (apps.includes('relay')) return 'relay'
  return apps.length > 0 ? 'direct' : 'none'
}
