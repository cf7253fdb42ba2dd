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
import { handleCreateBot } from './bots/create-bot.ts'
import { handleDeactivateBot } from './bots/deactivate-bot.ts'
import { handleListBots } from './bots/list-own-bots.ts'
import { handleUpdateBot } from './bots/update-bot.ts'
import type { Context } from './context.ts'
import { handleDevFetchApiKey, handleDevListUsers } from './credentials/development-login.ts'
import { handleFetchApiKey } from './credentials/fetch-api-key.ts'
import { handleIdentify } from './credentials/identify.ts'
import { handleListIdentityChanges } from './credentials/list-identity-changes.ts'
import { handleRegenerateApiKey, handleRegenerateBotApiKey } from './credentials/regenerate-api-key.ts'
import { handleMuteUser, handleUnmuteUser } from './muted-users/mute-user.ts'
import { handleUsersRegisterState } from './register-state/users-register-state.ts'
import { handleUpdateSettings } from './settings/update-settings.ts'

export const handlers: HandlersOf<'users', Context> = {
  fetchApiKey: handleFetchApiKey,
  devFetchApiKey: handleDevFetchApiKey,
  devListUsers: handleDevListUsers,
  regenerateApiKey: handleRegenerateApiKey,
  createBot: handleCreateBot,
  listBots: handleListBots,
  updateBot: handleUpdateBot,
  deactivateBot: handleDeactivateBot,
  regenerateBotApiKey: handleRegenerateBotApiKey,
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
}

export const internalHandlers: InternalHandlersOf<'users', Context> = {
  identify: handleIdentify,
  listIdentityChanges: handleListIdentityChanges,
  ensureUser: handleEnsureUser,
  ensureSystemBot: handleEnsureSystemBot,
  listUserFacts: handleListUserFacts,
  usersRegisterState: handleUsersRegisterState,
}
