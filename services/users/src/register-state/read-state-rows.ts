import {
  type ClientDevice,
  canSeeAllUsers,
  type RealmProjection,
  type RegisterStateBody,
  type SavedSnippetRecord,
  type UserGroup,
  wants,
} from '@tms/contracts'
import { type Tx, type WrittenItems, writeItems } from '@tms/service-kit'
import { listRoleMembers } from '../groups/group.queries.ts'
import { listShownCustomGroups } from '../groups/list-groups.ts'
import { systemGroupsOf } from '../groups/system-groups.rules.ts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { findRealmPermissions } from '../kernel/groups/group-membership.ts'
import { listWaitingMembers } from '../kernel/groups/waiting-member.queries.ts'
import { findVisibleUserIds } from '../kernel/guest-visibility/visible-users.queries.ts'
import { listClientDevices } from '../kernel/pushes/client-device.queries.ts'
import { findSettingDefaults, type SettingDefaults } from '../kernel/settings/setting-defaults.queries.ts'
import { listSeenSteps } from '../onboarding/onboarding-step.queries.ts'
import { listSavedSnippets } from '../saved-snippets/saved-snippet.queries.ts'
import { listStatuses, type StatusRow } from '../statuses/status.queries.ts'
import type { UserListSnapshot } from '../user-list-cache/read-user-list-snapshot.ts'
import type { SharedView } from '../user-list-cache/user-list-chunk.ts'
import { botKeys } from './bot-keys.ts'
import { findOwnAccount } from './own-account.queries.ts'
import { type ShownPermissions, shownPermissions } from './own-keys.ts'
import type { RegisterStateContext } from './register-state-context.ts'

/** What a register state is made of. What wasn't requested is null or empty. */
export interface StateRows {
  readonly own: Account | null
  /** Null if the user list isn't requested. */
  readonly permissions: ShownPermissions | null
  /** Null unless the user is a restricted guest. */
  readonly visibleUserIds: readonly number[] | null
  readonly userList: UserListSnapshot | null
  readonly bots: Record<string, unknown>
  readonly groups: StateGroups | null
  readonly seenSteps: readonly string[]
  readonly clientDevices: Readonly<Record<string, ClientDevice>>
  readonly savedSnippets: readonly SavedSnippetRecord[]
  readonly statuses: readonly StatusRow[]
  readonly settingDefaults: SettingDefaults
}

/** All groups, by ID. */
export interface StateGroups {
  readonly system: WrittenItems
  /** Deactivated ones included. */
  readonly custom: readonly UserGroup[]
}

/** With the user list, the members of system groups come from that: reading 50,000 again takes long. */
async function readStateGroups(
  tx: Tx,
  realmId: number,
  userList: UserListSnapshot | null,
  { writeSystemGroups }: Pick<RegisterStateContext, 'writeSystemGroups'>,
): Promise<StateGroups> {
  const system = userList
    ? writeSystemGroups(userList, await listWaitingMembers(tx, realmId))
    : writeItems(systemGroupsOf(await listRoleMembers(tx, realmId)))
  return { system, custom: await listShownCustomGroups(tx, realmId) }
}

/** Reads it in one snapshot. `prepared` is the user list before the transaction; null if the list isn't requested. */
export async function readStateRows(
  tx: Tx,
  body: RegisterStateBody,
  {
    realm,
    view,
    prepared,
  }: {
    readonly realm: RealmProjection | null
    readonly view: SharedView
    readonly prepared: UserListSnapshot | null
  },
  context: Pick<RegisterStateContext, 'userListCache' | 'writeSystemGroups' | 'now'>,
): Promise<StateRows> {
  const { userListCache, now } = context
  const { realm_id: realmId, user_id: userId } = body
  const own = await findOwnAccount(tx, realmId, userId)
  const userList =
    own && prepared && (await userListCache.read(tx, realmId, prepared, { ...view, role: own.role }))
  return {
    own,
    permissions:
      own && realm && prepared ? await findRealmPermissions(tx, realm, own, shownPermissions, now()) : null,
    visibleUserIds:
      own && !canSeeAllUsers(own.role, true) ? await findVisibleUserIds(tx, realmId, userId) : null,
    userList,
    bots: own && wants(body, 'realm_bot') ? await botKeys(tx, own, body.hides_keys) : {},
    groups: wants(body, 'realm_user_groups') ? await readStateGroups(tx, realmId, userList, context) : null,
    seenSteps: own && wants(body, 'onboarding_steps') ? await listSeenSteps(tx, own.id) : [],
    clientDevices: own && wants(body, 'device') ? await listClientDevices(tx, own.id) : {},
    savedSnippets: own && wants(body, 'saved_snippets') ? await listSavedSnippets(tx, own.id) : [],
    statuses: wants(body, 'user_status') ? await listStatuses(tx, realmId) : [],
    settingDefaults: wants(body, 'realm_user_settings_defaults')
      ? await findSettingDefaults(tx, realmId)
      : {},
  }
}
