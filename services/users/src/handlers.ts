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
import { handleMuteUser, handleUnmuteUser } from './muted-users/mute-user.ts'
import { handleGetRealmPresence } from './presence/get-realm-presence.ts'
import { handleGetUserPresence } from './presence/get-user-presence.ts'
import { handleUpdatePresence } from './presence/update-presence.ts'
import { handleRemoveProfileData, handleUpdateProfileData } from './profiles/update-profile-data.ts'
import { handleUsersRegisterState } from './register-state/users-register-state.ts'
import { handleUpdateSettings } from './settings/update-settings.ts'
import { handleGetStatus } from './statuses/get-status.ts'
import { handleUpdateStatus } from './statuses/update-status.ts'

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
  updatePresence: handleUpdatePresence,
  getUserPresence: handleGetUserPresence,
  getRealmPresence: handleGetRealmPresence,
  updateProfileData: handleUpdateProfileData,
  removeProfileData: handleRemoveProfileData,
  updateStatus: handleUpdateStatus,
  getStatus: handleGetStatus,
}

export const internalHandlers: InternalHandlersOf<'users', Context> = {
  identify: handleIdentify,
  ensureUser: handleEnsureUser,
  ensureSystemBot: handleEnsureSystemBot,
  listUserFacts: handleListUserFacts,
  usersRegisterState: handleUsersRegisterState,
}
