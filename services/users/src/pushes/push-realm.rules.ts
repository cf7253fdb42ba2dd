import type { RealmProjection } from '@tms/contracts'
import type { PushRealm } from '../kernel/pushes/push.ts'

/** What senders need of an organization. */
export const pushRealmOf = ({
  url,
  name,
  require_e2ee_push_notifications: requiresEncryption = false,
}: Pick<RealmProjection, 'url' | 'name' | 'require_e2ee_push_notifications'>): PushRealm => ({
  ...{ url, name, requiresEncryption },
})
