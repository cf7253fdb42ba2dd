import {
  groupInPlaceOf,
  type OpenGroupSetting,
  openGroupSettings,
  policiesOfGroups,
  policyInPlaceOf,
} from '@tms/contracts'
import { z } from 'zod'
import { VideoCallProvider } from '../calls/call-providers.ts'
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
type GroupSettings = Record<OpenGroupSetting, number>

/** All settings of an organization by their name on the wire, without `realm_`; groups by ID or, where only some fit, by name. */
export type RealmSettings = z.output<typeof realmSettings> & ColumnSettings & GroupSettings
/** How settings are kept: what differs from the defaults is all that `settings` has, and from policies `groupSettings`. */
export type StoredSettings = Pick<Realm, Columns[keyof Columns]> & {
  readonly settings: object
  readonly groupSettings: object
}

const columnNames = Object.entries(columns) as [keyof Columns, Columns[keyof Columns]][]
const defaults: Readonly<Record<string, unknown>> = realmSettings.parse({})
/**
 * That calls are held with BigBlueButton stands beside `video_chat_provider`, which then says Jitsi: the release before
 * this one can't read an organization whose provider it doesn't know.
 */
const storedCalls = z.object({ calls_with_big_blue_button: z.literal(true).optional() })
const storedGroups = z.partialRecord(z.enum(openGroupSettings as [OpenGroupSetting]), z.int())

export function readSettings(
  realm: Pick<Realm, Columns[keyof Columns] | 'settings' | 'groupSettings'>,
): RealmSettings {
  const own = Object.fromEntries(columnNames.map(([name, column]) => [name, realm[column]])) as ColumnSettings
  const { calls_with_big_blue_button: isWithBigBlueButton } = storedCalls.parse(realm.settings)
  return {
    ...realmSettings.parse(realm.settings),
    ...(isWithBigBlueButton && { video_chat_provider: VideoCallProvider.bigBlueButton }),
    ...own,
    ...readGroups(realm.groupSettings, own),
  }
}

/** The groups that were chosen, but for those whose policy a release changed that doesn't know them. */
function readGroups(stored: unknown, policies: ColumnSettings): GroupSettings {
  const chosen = storedGroups.parse(stored)
  return Object.fromEntries(
    openGroupSettings.map((name) => {
      const [group, policy] = [chosen[name], policies[policiesOfGroups[name]]]
      // Who may begin a conversation has no policy of its own.
      const fits =
        group !== undefined &&
        (name === 'direct_message_initiator_group' || policyInPlaceOf(name, group) === policy)
      return [name, fits ? group : groupInPlaceOf(name, policy)]
    }),
  ) as GroupSettings
}

export function toStoredSettings(settings: RealmSettings): StoredSettings {
  const own = Object.fromEntries(columnNames.map(([name, column]) => [column, settings[name]]))
  const isWithBigBlueButton = settings.video_chat_provider === VideoCallProvider.bigBlueButton
  const others = Object.entries(settings).filter(
    ([name, value]) =>
      name in defaults &&
      value !== defaults[name] &&
      !(name === 'video_chat_provider' && isWithBigBlueButton),
  )
  const groups = openGroupSettings.filter(
    (name) => settings[name] !== groupInPlaceOf(name, settings[policiesOfGroups[name]]),
  )
  return {
    ...(own as Pick<Realm, Columns[keyof Columns]>),
    settings: {
      ...Object.fromEntries(others),
      ...(isWithBigBlueButton && { calls_with_big_blue_button: true }),
    },
    groupSettings: Object.fromEntries(groups.map((name) => [name, settings[name]])),
  }
}
