import type { z } from 'zod'
import type { Realm } from './realm.queries.ts'
import { realmSettings } from './realm-settings.ts'

/** Settings that are columns of `realms`, by their name on the wire. */
const columns = {
  name: 'name',
  description: 'description',
  mandatory_topics: 'mandatoryTopics',
  waiting_period_threshold: 'waitingPeriodThreshold',
  create_public_stream_policy: 'createPublicStreamPolicy',
  create_private_stream_policy: 'createPrivateStreamPolicy',
  create_web_public_stream_policy: 'createWebPublicStreamPolicy',
  invite_to_stream_policy: 'inviteToStreamPolicy',
  wildcard_mention_policy: 'wildcardMentionPolicy',
  private_message_policy: 'privateMessagePolicy',
} as const satisfies Record<string, keyof Realm>
type Columns = typeof columns
type ColumnSettings = { [K in keyof Columns]: Realm[Columns[K]] }

/** All settings of an organization by their name on the wire, without `realm_`; groups by name. */
export type RealmSettings = z.output<typeof realmSettings> & ColumnSettings
/** How settings are kept: what differs from the defaults is all that `settings` has. */
export type StoredSettings = Pick<Realm, Columns[keyof Columns]> & { readonly settings: object }

const columnNames = Object.entries(columns) as [keyof Columns, Columns[keyof Columns]][]
const defaults: Readonly<Record<string, unknown>> = realmSettings.parse({})

export function readSettings(realm: Pick<Realm, Columns[keyof Columns] | 'settings'>): RealmSettings {
  const own = Object.fromEntries(columnNames.map(([name, column]) => [name, realm[column]]))
  return { ...realmSettings.parse(realm.settings), ...(own as ColumnSettings) }
}

export function toStoredSettings(settings: RealmSettings): StoredSettings {
  const own = Object.fromEntries(columnNames.map(([name, column]) => [column, settings[name]]))
  const others = Object.entries(settings).filter(
    ([name, value]) => name in defaults && value !== defaults[name],
  )
  return { ...(own as Pick<Realm, Columns[keyof Columns]>), settings: Object.fromEntries(others) }
}
