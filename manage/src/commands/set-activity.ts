import { internal, type RealmProjection } from '@tms/contracts'
import type { InternalClient } from '@tms/service-kit'
import type { Result } from '../terminal/command-action.ts'

/** Deactivates or reactivates an organization. */
export async function setOrganizationActivity(
  call: InternalClient,
  { realm_id, string_id, name, url }: RealmProjection,
  is_active: boolean,
): Promise<Result> {
  const { is_changed } = await call(internal.realm.setRealmActivity, { string_id, is_active })
  const state = is_active ? 'active' : 'deactivated'
  return {
    json: { organization: { id: realm_id, subdomain: string_id, name, url, is_active }, is_changed },
    text: is_changed
      ? `"${name}" at ${url} is ${state}.`
      : `Nothing changed: "${name}" was ${state} already.`,
  }
}
