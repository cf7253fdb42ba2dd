import {
  groupForPolicy,
  type OpenGroupSetting,
  openGroupSettings,
  policiesOfGroups,
  policyForGroup,
} from '@tms/contracts'
import { z } from 'zod'
import type { Realm } from './realm.queries.ts'
import { realmSettings } from './realm-settings.ts'

/** Settings that are columns of `realms`, by their name in the API. */
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
type GroupSettings = Record<OpenGroupSetting, number>

/**
 * All settings of an organization by their name in the API, without `realm_`; groups by ID or, if only system groups
 * are allowed, by name.
 */
export type RealmSettings = z.output<typeof realmSettings> & ColumnSettings & GroupSettings
/**
 * Stored settings: `settings` has only values that differ from the defaults, `groupSettings` only groups that differ
 * from those of the policies.
 */
export type StoredSettings = Pick<Realm, Columns[keyof Columns]> & {
  readonly settings: object
  readonly groupSettings: object
}

const columnNames = Object.entries(columns) as [keyof Columns, Columns[keyof Columns]][]
const defaults: Readonly<Record<string, unknown>> = realmSettings.parse({})

const storedGroups = z.partialRecord(z.enum(openGroupSettings as [OpenGroupSetting]), z.int())

export function readSettings(
  realm: Pick<Realm, Columns[keyof Columns] | 'settings' | 'groupSettings'>,
): RealmSettings {
  const own = Object.fromEntries(columnNames.map(([name, column]) => [name, realm[column]])) as ColumnSettings
  return {
    ...realmSettings.parse(realm.settings),
    ...own,
    ...readGroups(realm.groupSettings, own),
  }
}

/** The stored groups; one that doesn't match its policy is replaced by the policy's group. */
function readGroups(stored: unknown, policies: ColumnSettings): GroupSettings {
  const chosen = storedGroups.parse(stored)
  return Object.fromEntries(
    openGroupSettings.map((name) => {
      const [group, policy] = [chosen[name], policies[policiesOfGroups[name]]]
      // This setting has no policy.
      const fits =
        group !== undefined &&
        (name === 'direct_message_initiator_group' || policyForGroup(name, group) === policy)
      return [name, fits ? group : groupForPolicy(name, policy)]
    }),
  ) as GroupSettings
}

export function toStoredSettings(settings: RealmSettings): StoredSettings {
  const own = Object.fromEntries(columnNames.map(([name, column]) => [column, settings[name]]))
  const others = Object.entries(settings).filter(
    ([name, value]) => name in defaults && value !== defaults[name],
  )
  const groups = openGroupSettings.filter(
    (name) => settings[name] !== groupForPolicy(name, settings[policiesOfGroups[name]]),
  )
  return {
    ...(own as Pick<Realm, Columns[keyof Columns]>),
    settings: Object.fromEntries(others),
    groupSettings: Object.fromEntries(groups.map((name) => [name, settings[name]])),
  }
}
