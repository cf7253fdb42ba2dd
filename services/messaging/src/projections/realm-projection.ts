import { internal, realmProjection, restrictsGuestVisibility } from '@tms/contracts'
import { defineProjection } from '@tms/service-kit'
import { activateImports } from '../exports/pending-import.queries.ts'
import { listPendingPolicies, savePublishedPolicy } from '../guest-visibility/policy.queries.ts'
import { queueGuestPolicyChange } from '../guest-visibility/queue-policy-change.ts'

const { listRealmProjections } = internal.realm

/** Organizations. */
export const knownRealms = defineProjection({
  name: 'realms',
  record: realmProjection,
  table: 'known_realms',
  key: 'realm_id',
  columns: { projection: (realm) => realm },
  load: {
    listAll: async (call) => (await call(listRealmProjections, {})).realms,
    find: async (call, ids) => (await call(listRealmProjections, { realm_ids: [...ids] })).realms,
  },
  /** The import of an organization that is active now ends. */
  onApplied: async (tx, applied) => {
    const active = applied.filter(({ record }) => record.is_active)
    if (active.length === 0) return
    await activateImports(
      tx,
      active.map(({ record }) => record.realm_id),
    )
  },
  onRestored: async (tx, realms) => {
    for (const realm of realms) await savePublishedPolicy(tx, realm.realm_id, restrictsGuestVisibility(realm))
  },
  consequences: { listPending: listPendingPolicies, publish: queueGuestPolicyChange },
})
