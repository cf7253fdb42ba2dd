import {
  defaultGroupSetting,
  groupSettingValue,
  historyVisibilityFor,
  isSameGroupSetting,
  type RealmPermission,
  type RealmPermissionValues,
  realmPermissionNames,
  realmPermissions,
  showsEdits,
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
} as const satisfies Record<string, keyof Realm>
type Columns = typeof columns
type ColumnSettings = { [K in keyof Columns]: Realm[Columns[K]] }

/** All settings of an organization by their name in the API, without `realm_`. Permissions are canonical. */
export type RealmSettings = z.output<typeof realmSettings> & ColumnSettings & RealmPermissionValues
/** Stored settings: `settings` and `permissions` have only values that differ from the defaults. */
export type StoredSettings = Pick<Realm, Columns[keyof Columns]> & {
  readonly settings: object
  readonly permissions: object
}

const columnNames = Object.entries(columns) as [keyof Columns, Columns[keyof Columns]][]
const defaults: Readonly<Record<string, unknown>> = realmSettings.parse({})

/** The schema of all permissions, with their defaults. */
export const realmPermissionSettings = z.object(
  Object.fromEntries(
    realmPermissionNames.map((name) => [
      name,
      groupSettingValue.default(defaultGroupSetting(realmPermissions[name])),
    ]),
  ) as Record<RealmPermission, z.ZodDefault<typeof groupSettingValue>>,
)

export function readSettings(
  realm: Pick<Realm, Columns[keyof Columns] | 'settings' | 'permissions'>,
): RealmSettings {
  const own = Object.fromEntries(columnNames.map(([name, column]) => [name, realm[column]])) as ColumnSettings
  return {
    ...fitHistoryVisibility(realmSettings.parse(realm.settings)),
    ...own,
    ...realmPermissionSettings.parse(realm.permissions),
  }
}

/** What the previous release stores without the policy, which it doesn't know, decides. */
function fitHistoryVisibility(settings: z.output<typeof realmSettings>): z.output<typeof realmSettings> {
  const { allow_edit_history, message_edit_history_visibility_policy: policy } = settings
  if (showsEdits(policy) === allow_edit_history) return settings
  return { ...settings, message_edit_history_visibility_policy: historyVisibilityFor(allow_edit_history) }
}

export function toStoredSettings(settings: RealmSettings): StoredSettings {
  const own = Object.fromEntries(columnNames.map(([name, column]) => [column, settings[name]]))
  const others = Object.entries(settings).filter(
    ([name, value]) => name in defaults && JSON.stringify(value) !== JSON.stringify(defaults[name]),
  )
  const chosen = realmPermissionNames.filter(
    (name) => !isSameGroupSetting(settings[name], defaultGroupSetting(realmPermissions[name])),
  )
  return {
    ...(own as Pick<Realm, Columns[keyof Columns]>),
    settings: Object.fromEntries(others),
    permissions: Object.fromEntries(chosen.map((name) => [name, settings[name]])),
  }
}
