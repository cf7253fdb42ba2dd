import {
  AppError,
  badRequest,
  canSeeAllUsers,
  emailHostOf,
  type internal,
  type ProfileField,
  type RegisterStateBody,
  wants,
} from '@tms/contracts'
import { type InternalHandler, readWithSnapshot, WrittenList, writeJsonText } from '@tms/service-kit'
import type { z } from 'zod'
import { listGroupIdsOfMember } from '../groups/group-membership.ts'
import { listGroups } from '../groups/list-groups.ts'
import { alertWordsOf, mutedUsersOf } from '../kernel/accounts/json-columns.ts'
import { restrictedVisibility, UNRESTRICTED_VISIBILITY } from '../kernel/guest-visibility/user-visibility.ts'
import { findVisibleUserIds } from '../kernel/guest-visibility/visible-users.queries.ts'
import { currentFieldsOf } from '../kernel/profiles/current-fields.ts'
import { findSettingDefaults } from '../kernel/settings/setting-defaults.queries.ts'
import { listSeenSteps } from '../onboarding/onboarding-step.queries.ts'
import { remainingSteps } from '../onboarding/onboarding-steps.rules.ts'
import { listStatuses } from '../statuses/status.queries.ts'
import { showStatus } from '../statuses/status.rules.ts'
import { botKeys } from './bot-keys.ts'
import { findAccountWithSnapshot, findOwnAccount } from './own-account.queries.ts'
import { creationGroupsOf, ownKeys } from './own-keys.ts'
import { presenceKeys } from './presence-keys.ts'
import type { RegisterStateContext } from './register-state-context.ts'
import { settingKeys } from './setting-keys.ts'
import { unsupportedFetchTypes } from './unsupported-fetch-types.ts'
import { userListKeys } from './user-list-keys.ts'

/** Fetch types whose size grows with the number of users. */
const LARGE_TYPES = ['realm_user', 'realm_user_groups', 'user_status', 'presence']

/** All fetch types that this service serves. */
const TYPES = [
  ...LARGE_TYPES,
  'alert_words',
  'muted_users',
  'onboarding_steps',
  'realm_bot',
  'realm_user_settings_defaults',
  'update_display_settings',
  'update_global_notifications',
  'user_settings',
  ...Object.keys(unsupportedFetchTypes),
]

/**
 * The users part of register's initial state, read in one repeatable-read transaction, or by one statement if nothing
 * of it is requested, as by most bots. Throws BAD_REQUEST for an unknown account, UNAUTHORIZED if it has been
 * deactivated since signing in.
 */
export const handleUsersRegisterState: InternalHandler<
  typeof internal.users.usersRegisterState,
  RegisterStateContext
> = async (body, context) => {
  if (!TYPES.some((type) => wants(body, type))) {
    const account = await findAccountWithSnapshot(context.db, body.realm_id, body.user_id)
    checkActive(account)
    const { snapshot, role } = account
    if (canSeeAllUsers(role, true))
      return { snapshot, role, guest_visibility: null, state: await writeJsonText({}) }
  }
  const isLarge = LARGE_TYPES.some((type) => wants(body, type))
  return isLarge ? context.limitStateReads(() => readState(body, context)) : readState(body, context)
}

const NO_GROUPS: ReadonlySet<number> = new Set()
const NO_FIELDS: readonly ProfileField[] = []

async function readState(
  body: RegisterStateBody,
  context: RegisterStateContext,
): Promise<z.output<typeof internal.users.usersRegisterState.response>> {
  const { db, realms, userListCache, now } = context
  const realm = await realms.findById(body.realm_id)
  const profileFields = currentFieldsOf(realm?.custom_profile_fields ?? NO_FIELDS)
  const view = { clientGravatar: body.client_gravatar, role: body.role, profileFields }
  const prepared = wants(body, 'realm_user') ? await userListCache.prepare(body.realm_id, view) : null
  const { snapshot, result } = await readWithSnapshot(db, async (tx) => {
    const own = await findOwnAccount(tx, body.realm_id, body.user_id)
    return {
      own,
      groupIds:
        own && realm && prepared
          ? await listGroupIdsOfMember(tx, own, creationGroupsOf(realm), realm, now())
          : NO_GROUPS,
      visibleUserIds:
        own && !canSeeAllUsers(own.role, true)
          ? await findVisibleUserIds(tx, body.realm_id, body.user_id)
          : null,
      userList:
        own &&
        prepared &&
        (await userListCache.read(tx, body.realm_id, prepared, { ...view, role: own.role })),
      bots: own && wants(body, 'realm_bot') ? await botKeys(tx, own) : {},
      groups: wants(body, 'realm_user_groups') ? await listGroups(tx, body.realm_id) : null,
      seenSteps: own && wants(body, 'onboarding_steps') ? await listSeenSteps(tx, own.id) : [],
      statuses: wants(body, 'user_status') ? await listStatuses(tx, body.realm_id) : [],
      settingDefaults: wants(body, 'realm_user_settings_defaults')
        ? await findSettingDefaults(tx, body.realm_id)
        : {},
    }
  })
  const { own, groupIds, visibleUserIds, userList, bots, groups, seenSteps, statuses, settingDefaults } =
    result
  checkActive(own)
  if (!realm) throw badRequest('There is no such organization')

  const emailHost = emailHostOf(new URL(realm.url).hostname)
  const visibility =
    visibleUserIds === null ? UNRESTRICTED_VISIBILITY : restrictedVisibility(own.id, visibleUserIds)
  const state: Record<string, unknown> = {}
  const at = now()
  if (userList) {
    const leavesOutUnknown = body.client_capabilities.user_list_incomplete
    const reader = {
      ...view,
      role: own.role,
      own,
      emailHost,
      leavesOutUnknown,
      visibility: visibleUserIds && visibility,
    }
    Object.assign(state, userListKeys(userList, reader), ownKeys(own, realm, groupIds, at))
  }
  Object.assign(state, bots)
  if (groups) {
    const text = Buffer.from(JSON.stringify(groups).slice(1, -1))
    state['realm_user_groups'] = new WrittenList([
      context.deduplicateText(`groups of ${body.realm_id}`, text),
    ])
  }
  if (wants(body, 'alert_words')) state['alert_words'] = alertWordsOf(own)
  if (wants(body, 'onboarding_steps')) state['onboarding_steps'] = remainingSteps(seenSteps)
  if (wants(body, 'muted_users')) state['muted_users'] = mutedUsersOf(own)
  Object.assign(state, settingKeys(body, own, settingDefaults))
  for (const [fetchType, keys] of Object.entries(unsupportedFetchTypes)) {
    if (wants(body, fetchType)) Object.assign(state, keys)
  }
  if (wants(body, 'user_status'))
    state['user_status'] = Object.fromEntries(
      statuses
        .filter((one) => visibility.canSee(one))
        .map(({ id, status, showsPresence }) => [id, showStatus(status, showsPresence)]),
    )
  const viewer = { realmId: own.realmId, userId: own.id, role: own.role }
  if (wants(body, 'presence')) Object.assign(state, await presenceKeys(body, viewer, context, at))
  const guest_visibility = visibleUserIds && { visible_user_ids: [...visibleUserIds], email_host: emailHost }
  return { snapshot, role: own.role, guest_visibility, state: await writeJsonText(state) }
}

/** A user deactivated just after signing in must not get a queue. */
function checkActive<T extends { readonly isActive: boolean }>(account: T | null): asserts account is T {
  if (!account) throw badRequest('There is no such account')
  if (!account.isActive) throw new AppError('UNAUTHORIZED', { message: 'The account is deactivated' })
}
