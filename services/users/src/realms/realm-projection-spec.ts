import { internal, type RealmProjection } from '@tms/contracts'
import { type InternalClient, type ProjectionSpec, projectionSpec } from '@tms/service-kit'

/** A page takes longer than a call within a request may. */
const PAGE_TIMEOUT = { timeoutMs: 30_000 }

/** How the projection of organizations is compared with its owner, realm. */
export const realmProjectionSpec = (call: InternalClient): ProjectionSpec =>
  projectionSpec<RealmProjection>({
    kind: 'realms',
    table: 'known_realms',
    key: 'realm_id',
    columns: ['string_id', 'version', 'projection'],
    // Entries with neither a user's nor a group's ID are organizations.
    idIn: ({ user_id, group_id, realm_id }) => (user_id ?? group_id) === undefined && realm_id,
    idOf: ({ realm_id }) => realm_id,
    rowOf: (projection) => ({
      realm_id: projection.realm_id,
      string_id: projection.string_id,
      version: projection.version,
      projection,
    }),
    list: async (afterId, limit) => {
      const { realms } = await call(internal.realm.listRealmProjections, {}, PAGE_TIMEOUT)
      const later = realms.filter(({ realm_id }) => realm_id > afterId)
      return later.sort((one, other) => one.realm_id - other.realm_id).slice(0, limit)
    },
    find: async (realm_ids) =>
      (await call(internal.realm.listRealmProjections, { realm_ids: [...realm_ids] })).realms,
  })
