import {
  AppError,
  badRequest,
  canSeeAllUsers,
  emailHostOf,
  type internal,
  type ProfileField,
  type RegisterStateBody,
  type UserStatus,
  wants,
} from '@tms/contracts'
import {
  type InternalHandler,
  readWithSnapshot,
  WrittenList,
  writeItems,
  writeJsonFields,
} from '@tms/service-kit'
import type { z } from 'zod'
import { activeGroups } from '../groups/list-groups.ts'
import { alertWordsOf, mutedUsersOf } from '../kernel/accounts/json-columns.ts'
import {
  restrictedVisibility,
  UNRESTRICTED_VISIBILITY,
  type UserVisibility,
} from '../kernel/guest-visibility/user-visibility.ts'
import { currentFieldsOf } from '../kernel/profiles/current-fields.ts'
import { remainingSteps } from '../onboarding/onboarding-steps.rules.ts'
import type { StatusRow } from '../statuses/status.queries.ts'
import { showStatus } from '../statuses/status.rules.ts'
import { findAccountWithSnapshot } from './own-account.queries.ts'
import { ownKeys } from './own-keys.ts'
import { presenceKeys } from './presence-keys.ts'
import { readStateRows, type StateGroups } from './read-state-rows.ts'
import type { RegisterStateContext } from './register-state-context.ts'
import { settingKeys } from './setting-keys.ts'
import { unsupportedFetchTypes, unsupportedKeys } from './unsupported-fetch-types.ts'
import { userListKeys } from './user-list-keys.ts'

/** Fetch types whose size grows with the number of users. */
const LARGE_TYPES = ['realm_user', 'realm_user_groups', 'user_status', 'presence']

/** All fetch types that this service serves. */
const TYPES = [
  ...LARGE_TYPES,
  'alert_words',
  'device',
  'muted_users',
  'onboarding_steps',
  'realm_bot',
  'realm_user_settings_defaults',
  'saved_snippets',
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
      return { snapshot, role, guest_visibility: null, state: await writeJsonFields({}) }
  }
  const isLarge = LARGE_TYPES.some((type) => wants(body, type))
  return isLarge ? context.limitStateReads(() => readState(body, context)) : readState(body, context)
}

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
  const { snapshot, result: rows } = await readWithSnapshot(db, (tx) =>
    readStateRows(tx, body, { realm, view, prepared }, context),
  )
  const { own, visibleUserIds, userList, groups, permissions } = rows
  checkActive(own)
  if (!realm) throw badRequest('There is no such organization')

  const emailHost = emailHostOf(new URL(realm.url).hostname)
  const visibility =
    visibleUserIds === null ? UNRESTRICTED_VISIBILITY : restrictedVisibility(own.id, visibleUserIds)
  const reader = {
    ...view,
    role: own.role,
    own,
    emailHost,
    leavesOutUnknown: body.client_capabilities.user_list_incomplete,
    visibility: visibleUserIds && visibility,
  }
  const viewer = { realmId: own.realmId, userId: own.id, role: own.role }
  const at = now()
  const state = {
    ...(userList &&
      permissions && { ...userListKeys(userList, reader), ...ownKeys(own, realm, permissions) }),
    ...rows.bots,
    ...(groups && { realm_user_groups: writeGroups(body, groups, context) }),
    ...(wants(body, 'alert_words') && { alert_words: alertWordsOf(own) }),
    ...(wants(body, 'onboarding_steps') && { onboarding_steps: remainingSteps(rows.seenSteps) }),
    ...(wants(body, 'muted_users') && { muted_users: mutedUsersOf(own) }),
    ...(wants(body, 'device') && { devices: rows.clientDevices }),
    ...(wants(body, 'saved_snippets') && { saved_snippets: rows.savedSnippets }),
    ...settingKeys(body, own, rows.settingDefaults),
    ...unsupportedKeys(body),
    ...(wants(body, 'user_status') && { user_status: showStatuses(rows.statuses, visibility) }),
    ...(wants(body, 'presence') && (await presenceKeys(body, viewer, context, at))),
  }
  const guest_visibility = visibleUserIds && { visible_user_ids: [...visibleUserIds], email_host: emailHost }
  return {
    snapshot,
    role: own.role,
    guest_visibility,
    state: await writeJsonFields(state, { mayDeflate: body.may_be_deflated ?? false }),
  }
}

function writeGroups(
  { realm_id, client_capabilities: { include_deactivated_groups: isComplete } }: RegisterStateBody,
  { system, custom }: StateGroups,
  { deduplicateText }: Pick<RegisterStateContext, 'deduplicateText'>,
): WrittenList {
  const shown = isComplete ? custom : activeGroups(custom)
  if (shown.length === 0) return new WrittenList([system])
  const name = `${isComplete ? 'all ' : ''}groups of ${realm_id}`
  return new WrittenList([system, deduplicateText(name, writeItems(shown))])
}

function showStatuses(rows: readonly StatusRow[], visibility: UserVisibility): Record<string, UserStatus> {
  const visible = rows.filter((one) => visibility.canSee(one))
  return Object.fromEntries(
    visible.map(({ id, status, showsPresence }) => [id, showStatus(status, showsPresence)]),
  )
}

/** A user deactivated just after signing in must not get a queue. */
function checkActive<T extends { readonly isActive: boolean }>(account: T | null): asserts account is T {
  if (!account) throw badRequest('There is no such account')
  if (!account.isActive) throw new AppError('UNAUTHORIZED', { message: 'The account is deactivated' })
}
