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
import { handleDeleteOwnAvatar } from './avatars/delete-own-avatar.ts'
import { handleFindAvatar, handleFindMediumAvatar } from './avatars/find-avatar.ts'
import { handleGetAvatarPicture } from './avatars/get-avatar-picture.ts'
import { handleUploadOwnAvatar } from './avatars/upload-own-avatar.ts'
import type { Context } from './context.ts'
import { handleFetchApiKey } from './credentials/fetch-api-key.ts'
import { handleIdentify } from './credentials/identify.ts'
import { handleCompleteEmailChange } from './email-changes/handle-complete-email-change.ts'
import { handleMuteUser, handleUnmuteUser } from './muted-users/mute-user.ts'
import { handleUsersRegisterState } from './register-state/users-register-state.ts'
import { handleUpdateSettingDefaults } from './settings/update-setting-defaults.ts'
import {
  handleUpdateDisplaySettings,
  handleUpdateNotificationSettings,
  handleUpdateSettings,
} from './settings/update-settings.ts'

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
  updateDisplaySettings: handleUpdateDisplaySettings,
  updateNotificationSettings: handleUpdateNotificationSettings,
  updateSettingDefaults: handleUpdateSettingDefaults,
  uploadOwnAvatar: handleUploadOwnAvatar,
  deleteOwnAvatar: handleDeleteOwnAvatar,
  getAvatarPicture: handleGetAvatarPicture,
  findAvatar: handleFindAvatar,
  findMediumAvatar: handleFindMediumAvatar,
}

export const internalHandlers: InternalHandlersOf<'users', Context> = {
  identify: handleIdentify,
  ensureUser: handleEnsureUser,
  ensureSystemBot: handleEnsureSystemBot,
  listUserFacts: handleListUserFacts,
  completeEmailChange: handleCompleteEmailChange,
  usersRegisterState: handleUsersRegisterState,
}
