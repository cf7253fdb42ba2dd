import {
  domainEvents,
  internal,
  optionKeysOf,
  type ProfileField,
  type RealmProjection,
  realmProjection,
} from '@tms/contracts'
import {
  type AppliedRecord,
  type ChangeAnnouncer,
  defineProjection,
  type Projection,
  type ProjectionOwner,
  projectionOwner,
} from '@tms/service-kit'
import type { RealmReader } from '../kernel/realms/realm-reader.ts'

const { listRealmProjections } = internal.realm

interface RealmsOptions {
  readonly realms: () => Pick<RealmReader, 'dropCaches'>
  /** Announces changed identities: closing an organization or moving its host affects those of its users. */
  readonly announcer: Pick<ChangeAnnouncer, 'announce'>
  /** Removes an organization's values of deleted profile fields and options. */
  readonly removeProfileValues: (realmId: number) => Promise<void>
}

/** The projection of organizations, and what follows from their changes. */
export function projectRealms({ realms, announcer, removeProfileValues }: RealmsOptions): {
  readonly knownRealms: Projection<RealmProjection>
  readonly owner: ProjectionOwner
} {
  /** Stays set until announced, however often that fails. */
  let concernsIdentities = false
  /** Organizations with deleted options, until the values are removed. */
  const withDeletedOptions = new Set<number>()
  const note = ({ record, before }: AppliedRecord<RealmProjection>) => {
    if (before && hasLostOption(before.custom_profile_fields, record.custom_profile_fields))
      withDeletedOptions.add(record.realm_id)
    concernsIdentities ||= before?.is_active !== record.is_active || before.string_id !== record.string_id
  }

  const knownRealms = defineProjection({
    name: 'realms',
    record: realmProjection,
    table: 'known_realms',
    key: 'realm_id',
    columns: { string_id: ({ string_id }) => string_id, projection: (realm) => realm },
    load: {
      listAll: async (call) => (await call(listRealmProjections, {})).realms,
      find: async (call, ids) => (await call(listRealmProjections, { realm_ids: [...ids] })).realms,
    },
    onApplied: async (_tx, applied) => {
      for (const change of applied) note(change)
    },
  })
  const owner = projectionOwner({
    source: 'realm',
    events: Object.values(domainEvents.realm),
    changes: internal.realm.listRealmChanges,
    projections: [knownRealms],
    dropCaches: () => realms().dropCaches(),
    beforeAcknowledging: async () => {
      for (const realmId of withDeletedOptions) {
        await removeProfileValues(realmId)
        withDeletedOptions.delete(realmId)
      }
      if (!concernsIdentities) return
      await announcer.announce()
      concernsIdentities = false
    },
  })
  return { knownRealms, owner }
}

/** Whether an option of a field that still exists was deleted. */
function hasLostOption(before: readonly ProfileField[], after: readonly ProfileField[]): boolean {
  const optionsOf = new Map(after.map((field) => [field.id, new Set(optionKeysOf(field))]))
  return before.some((field) => {
    const options = optionsOf.get(field.id)
    return options && optionKeysOf(field).some((key) => !options.has(key))
  })
}
