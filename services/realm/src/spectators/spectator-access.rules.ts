import type { Realm } from '../kernel/realms/realm.queries.ts'
import { readSettings } from '../kernel/realms/stored-settings.ts'

/** Whether people without an account may read an organization's web-public channels. */
export function allowsSpectators(realm: Realm): boolean {
  return realm.isActive && readSettings(realm).enable_spectator_access
}
