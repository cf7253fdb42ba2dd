import type { HandlersOf, InternalHandlersOf } from '@tms/service-kit'
import { handleCreateUser } from './accounts/create-user.ts'
import { handleEnsureSystemBot } from './accounts/ensure-system-bot.ts'
import { handleEnsureUser } from './accounts/ensure-user.ts'
import { handleGetOwnUser } from './accounts/get-own-user.ts'
import { handleGetUser } from './accounts/get-user.ts'
import { handleGetUserByEmail } from './accounts/get-user-by-email.ts'
import { handleListUserFacts } from './accounts/list-user-facts.ts'
import { handleListUsers } from './accounts/list-users.ts'
import { handleAddAlertWords, handleRemoveAlertWords } from './alert-words/change-alert-words.ts'
import { handleListAlertWords } from './alert-words/list-alert-words.ts'
import type { Context } from './context.ts'
import { handleFetchApiKey } from './credentials/fetch-api-key.ts'
import { handleIdentify } from './credentials/identify.ts'
import { handleUpdateUserGroupMembers } from './groups/change-members.ts'
import { handleUpdateUserGroupSubgroups } from './groups/change-subgroups.ts'
import { handleCreateUserGroup } from './groups/create-group.ts'
import { handleListUserGroupFacts } from './groups/list-group-facts.ts'
import { handleListUserGroups } from './groups/list-groups.ts'
import {
  handleIsUserGroupMember,
  handleListUserGroupMembers,
  handleListUserGroupSubgroups,
} from './groups/look-into-groups.ts'
import { handleRemoveUserGroup } from './groups/remove-group.ts'
import { handleUpdateUserGroup } from './groups/update-group.ts'
import { handleMuteUser, handleUnmuteUser } from './muted-users/mute-user.ts'
import { handleUsersRegisterState } from './register-state/users-register-state.ts'
import { handleUpdateSettings } from './settings/update-settings.ts'

export const handlers: HandlersOf<'users', Context> = {
  fetchApiKey: handleFetchApiKey,
  createUser: handleCreateUser,
  listUsers: handleListUsers,
  getOwnUser: handleGetOwnUser,
  getUser: handleGetUser,
  getUserByEmail: handleGetUserByEmail,
  listAlertWords: handleListAlertWords,
  addAlertWords: handleAddAlertWords,
  removeAlertWords: handleRemoveAlertWords,
  muteUser: handleMuteUser,
  unmuteUser: handleUnmuteUser,
  updateSettings: handleUpdateSettings,
  createUserGroup: handleCreateUserGroup,
  listUserGroups: handleListUserGroups,
  updateUserGroup: handleUpdateUserGroup,
  removeUserGroup: handleRemoveUserGroup,
  updateUserGroupMembers: handleUpdateUserGroupMembers,
  listUserGroupMembers: handleListUserGroupMembers,
  isUserGroupMember: handleIsUserGroupMember,
  updateUserGroupSubgroups: handleUpdateUserGroupSubgroups,
  listUserGroupSubgroups: handleListUserGroupSubgroups,
}

export const internalHandlers: InternalHandlersOf<'users', Context> = {
  identify: handleIdentify,
  ensureUser: handleEnsureUser,
  ensureSystemBot: handleEnsureSystemBot,
  listUserFacts: handleListUserFacts,
  listUserGroupFacts: handleListUserGroupFacts,
  usersRegisterState: handleUsersRegisterState,
}
