import { internal, type RealmFacts } from '@tms/contracts'
import { type InternalClient, type KeptFacts, keptFacts } from '@tms/service-kit'

/** A page of facts takes its owner longer than the calls on a request's path may. */
const PAGE_TIMEOUT = { timeoutMs: 30_000 }

/** What is kept of organizations, as looking again has it compared with their owner. */
export const keptRealms = (call: InternalClient): KeptFacts =>
  keptFacts<RealmFacts>({
    kind: 'realms',
    table: 'known_realms',
    key: 'realm_id',
    columns: ['string_id', 'version', 'facts'],
    // The only facts in the stream that have nothing more particular are organizations'.
    idIn: ({ user_id, group_id, realm_id }) => (user_id ?? group_id) === undefined && realm_id,
    idOf: ({ realm_id }) => realm_id,
    rowOf: (facts) => ({
      realm_id: facts.realm_id,
      string_id: facts.string_id,
      version: facts.version,
      facts,
    }),
    list: async (afterId, limit) => {
      const { realms } = await call(internal.realm.listRealmFacts, {}, PAGE_TIMEOUT)
      const later = realms.filter(({ realm_id }) => realm_id > afterId)
      return later.sort((one, other) => one.realm_id - other.realm_id).slice(0, limit)
    },
    find: async (realm_ids) =>
      (await call(internal.realm.listRealmFacts, { realm_ids: [...realm_ids] })).realms,
  })
