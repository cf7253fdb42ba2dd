// Written by `npm run gen` (tools/barrels.ts).

import { handleCreateUser } from './accounts/create-user.ts'
import { handleDeactivateOwnUser } from './accounts/deactivate-own-user.ts'
import { handleDeactivateUser } from './accounts/deactivate-user.ts'
import { handleCheckNewAccount, handleEnsureFirstOwner } from './accounts/ensure-first-owner.ts'
import { handleEnsureSystemBot } from './accounts/ensure-system-bot.ts'
import { handleEnsureUser } from './accounts/ensure-user.ts'
import { handleGetOwnUser } from './accounts/get-own-user.ts'
import { handleGetUser } from './accounts/get-user.ts'
import { handleGetUserByEmail } from './accounts/get-user-by-email.ts'
import { handleListUserProjections } from './accounts/list-user-projections.ts'
import { handleListUsers } from './accounts/list-users.ts'
import { handleReactivateUser } from './accounts/reactivate-user.ts'
import { handleSetEmailChangeRight } from './accounts/set-email-change-right.ts'
import { handleUpdateUser, handleUpdateUserByEmail } from './accounts/update-user.ts'
import { handleAddAlertWords, handleRemoveAlertWords } from './alert-words/change-alert-words.ts'
import { handleListAlertWords } from './alert-words/list-alert-words.ts'
import { handleDescribeAnnouncement } from './announcements/describe-announcement.ts'
import { handleQueueAnnouncement } from './announcements/queue-announcement.ts'
import { handleCreateApiToken } from './api-tokens/create-api-token.ts'
import { handleIdentifyToken } from './api-tokens/identify-token.ts'
import { handleListApiTokens, handleListRealmApiTokens } from './api-tokens/list-api-tokens.ts'
import { handleRevokeApiToken } from './api-tokens/revoke-api-token.ts'
import { handleDeleteOwnAvatar } from './avatars/delete-own-avatar.ts'
import { handleFindAvatar, handleFindMediumAvatar } from './avatars/find-avatar.ts'
import { handleGetAvatarPicture } from './avatars/get-avatar-picture.ts'
import { handleUploadOwnAvatar } from './avatars/upload-own-avatar.ts'
import { handleGetBotStorage } from './bot-storage/get-bot-storage.ts'
import { handleRemoveBotStorage } from './bot-storage/remove-bot-storage.ts'
import { handleUpdateBotStorage } from './bot-storage/update-bot-storage.ts'
import { handleCreateBot } from './bots/create-bot.ts'
import { handleCreateIncomingWebhook } from './bots/create-incoming-webhook.ts'
import { handleDeactivateBot } from './bots/deactivate-bot.ts'
import { handleFindBotOwner } from './bots/find-bot-owner.ts'
import { handleGetBotDefaults } from './bots/get-bot-defaults.ts'
import { handleGetOutgoingWebhook } from './bots/get-outgoing-webhook.ts'
import { handleListBots } from './bots/list-own-bots.ts'
import { handleRegenerateBotApiKey } from './bots/regenerate-bot-api-key.ts'
import { handleUpdateBot } from './bots/update-bot.ts'
import { handleUpdateBotChannelNames } from './bots/update-channel-names.ts'
import { handleListUsersChanges } from './changes/list-changes.ts'
import {
  handleRegisterClientDevice,
  handleRemoveClientDevice,
  handleTestSealedPush,
} from './client-devices/client-devices.ts'
import { handleRegisterSealedPush } from './client-devices/register-sealed-push.ts'
import { handleDevFetchApiKey, handleDevListUsers } from './credentials/development-login.ts'
import { handleFetchApiKey } from './credentials/fetch-api-key.ts'
import { handleIdentify } from './credentials/identify.ts'
import { handleRegenerateApiKey } from './credentials/regenerate-api-key.ts'
import { handleMailTestDigest } from './digests/mail-test-digest.ts'
import { handleSyncDirectory } from './directory/sync-directory.ts'
import { exportHandlers } from './exports/export-handlers.ts'
import {
  handleShowOrganizationChoice,
  handleSubmitOrganizationChoice,
} from './external-sign-on/choose-organization.ts'
import {
  handleCompleteExternalSignIn,
  handleCompletePostedSignIn,
  handleCompleteProviderSignIn,
} from './external-sign-on/complete-external-sign-in.ts'
import { handleSubmitLogOutPage } from './external-sign-on/log-out.ts'
import { handleCompleteProxySignIn, handleStartProxySignIn } from './external-sign-on/proxy-sign-in.ts'
import { handleShowSamlMetadata } from './external-sign-on/show-saml-metadata.ts'
import {
  handleOpenExternalSite,
  handleOpenProviderSite,
  handleStartExternalLogIn,
  handleStartExternalSignUp,
  handleStartProviderLogIn,
  handleStartProviderSignUp,
} from './external-sign-on/start-sign-in.ts'
import { handleTakeHandOver } from './external-sign-on/take-hand-over.ts'
import { handleFetchApiKeyByToken, handleSubmitToken } from './external-sign-on/token-sign-in.ts'
import { handleUpdateUserGroupMembers } from './groups/change-members.ts'
import { handleUpdateUserGroupSubgroups } from './groups/change-subgroups.ts'
import { handleCheckGroupSettings } from './groups/check-group-settings.ts'
import { handleCheckRealmPermission } from './groups/check-realm-permission.ts'
import { handleCreateUserGroup } from './groups/create-group.ts'
import { handleDeactivateUserGroup, handleRemoveUserGroup } from './groups/deactivate-group.ts'
import { handleListDeactivatedUsers } from './groups/list-deactivated-users.ts'
import {
  handleIsUserGroupMember,
  handleListUserGroupMembers,
  handleListUserGroupSubgroups,
} from './groups/list-group-members.ts'
import { handleListUserGroupProjections } from './groups/list-group-projections.ts'
import { handleListUserGroups } from './groups/list-groups.ts'
import { handleUpdateUserGroup } from './groups/update-group.ts'
import { handleUpdateGuestVisibility } from './guest-visibility/update-guest-visibility.ts'
import { handleCreateInviteLink } from './invitations/create-invite-link.ts'
import { handleInviteByEmail } from './invitations/invite-by-email.ts'
import { handleListInvitations } from './invitations/list-invitations.ts'
import { handleResendInvitation } from './invitations/resend-invitation.ts'
import { handleRevokeInvitation, handleRevokeInvitationLink } from './invitations/revoke-invitation.ts'
import { handleListLastActivity } from './missed-messages/list-last-activity.ts'
import { handleMailMissedMessages } from './missed-messages/mail-missed-messages.ts'
import { handleMailTestNotification } from './missed-messages/mail-test-notification.ts'
import { handleMuteUser, handleUnmuteUser } from './muted-users/mute-user.ts'
import { handleMarkOnboardingStep } from './onboarding/mark-onboarding-step.ts'
import {
  handleShowAccountPage,
  handleSubmitApiKeyForm,
  handleSubmitSessionsForm,
} from './pages/account-page.ts'
import { handleConfirmNewEmailPage } from './pages/email-pages.ts'
import {
  handleShowJoinPage,
  handleShowOpenJoinPage,
  handleSubmitJoinPage,
  handleSubmitOpenJoinPage,
} from './pages/join-pages.ts'
import {
  handleShowAccountsLogInPage,
  handleShowDeactivatedPage,
  handleShowLogInPage,
  handleSubmitAccountsLogInPage,
  handleSubmitLogInPage,
} from './pages/log-in-pages.ts'
import { handleSubmitMethodsForm } from './pages/method-page.ts'
import {
  handleShowNotificationsPage,
  handleSubmitDevicesForm,
  handleSubmitQuietHoursForm,
  handleSubmitSnoozeForm,
} from './pages/notification-page.ts'
import {
  handleShowNewPasswordPage,
  handleShowPasswordResetPage,
  handleSubmitNewPasswordPage,
  handleSubmitPasswordResetPage,
} from './pages/password-pages.ts'
import { handleSubmitProvisioningForm } from './pages/provisioning-page.ts'
import { handleShowSignUpPage, handleSubmitSignUpPage } from './pages/sign-up-pages.ts'
import { handleSubmitTokensForm } from './pages/token-page.ts'
import { handleShowUnsubscribePage, handleSubmitUnsubscribePage } from './pages/unsubscribe-pages.ts'
import { handleShowUserPage, handleSubmitUserForm } from './pages/user-page.ts'
import { handleShowUsersPage } from './pages/users-page.ts'
import { handleSetPassword } from './password-reset/set-password.ts'
import { handleGetRealmPresence } from './presence/get-realm-presence.ts'
import { handleGetUserPresence } from './presence/get-user-presence.ts'
import { handleUpdatePresence } from './presence/update-presence.ts'
import { handleRemoveProfileData, handleUpdateProfileData } from './profiles/update-profile-data.ts'
import {
  handleAddAndroidDevice,
  handleAddApnsDevice,
  handleAddWebPushSubscription,
  handleRemoveAndroidDevice,
  handleRemoveApnsDevice,
  handleRemoveWebPushSubscription,
  handleTestPushNotification,
} from './push-devices/change-push-devices.ts'
import { handleListPushDevices, handleRemovePushDevice } from './push-devices/own-devices.ts'
import {
  handleDeactivateAtPushRelay,
  handleRegisterAtPushRelay,
  handleReportToPushRelay,
} from './push-relay/operate-push-relay.ts'
import { handlePushNotices } from './pushes/push-notices.ts'
import { handleDeleteRealmData } from './realm-deletion/delete-realm-data.ts'
import { handleDescribeProjections, handleReplayProjections } from './realms/replay-projections.ts'
import { handleUsersRegisterState } from './register-state/users-register-state.ts'
import { handleCreateSavedSnippet } from './saved-snippets/create-saved-snippet.ts'
import { handleDeleteSavedSnippet } from './saved-snippets/delete-saved-snippet.ts'
import { handleListSavedSnippets } from './saved-snippets/list-saved-snippets.ts'
import { handleUpdateSavedSnippet } from './saved-snippets/update-saved-snippet.ts'
import {
  handleCreateScimResource,
  handleDeleteScimResource,
  handleGetScimResources,
  handlePatchScimResource,
  handleReplaceScimResource,
} from './scim/handle-scim.ts'
import {
  handleCreateScimToken,
  handleDeleteScimToken,
  handleGetScimToken,
  handleIdentifyProvisioner,
  handleReplaceScimToken,
} from './scim/scim-token.ts'
import { handleListExportConsents } from './settings/list-export-consents.ts'
import { handleRunCommand } from './settings/run-command.ts'
import { handleUpdateSettingDefaults } from './settings/update-setting-defaults.ts'
import {
  handleUpdateDisplaySettings,
  handleUpdateNotificationSettings,
  handleUpdateSettings,
} from './settings/update-settings.ts'
import { handleCheckSignOn } from './sign-on-check/check-sign-on.ts'
import { handleGetStatus } from './statuses/get-status.ts'
import { handleUpdateStatus } from './statuses/update-status.ts'

export const handlers = {
  showAccountPage: handleShowAccountPage,
  submitApiKeyForm: handleSubmitApiKeyForm,
  submitTokensForm: handleSubmitTokensForm,
  submitMethodsForm: handleSubmitMethodsForm,
  submitProvisioningForm: handleSubmitProvisioningForm,
  submitSessionsForm: handleSubmitSessionsForm,
  showNotificationsPage: handleShowNotificationsPage,
  submitDevicesForm: handleSubmitDevicesForm,
  submitSnoozeForm: handleSubmitSnoozeForm,
  submitQuietHoursForm: handleSubmitQuietHoursForm,
  showUsersPage: handleShowUsersPage,
  showUserPage: handleShowUserPage,
  submitUserForm: handleSubmitUserForm,
  updateUser: handleUpdateUser,
  updateUserByEmail: handleUpdateUserByEmail,
  deactivateUser: handleDeactivateUser,
  deactivateOwnUser: handleDeactivateOwnUser,
  reactivateUser: handleReactivateUser,
  createApiToken: handleCreateApiToken,
  listApiTokens: handleListApiTokens,
  listRealmApiTokens: handleListRealmApiTokens,
  revokeApiToken: handleRevokeApiToken,
  uploadOwnAvatar: handleUploadOwnAvatar,
  deleteOwnAvatar: handleDeleteOwnAvatar,
  getAvatarPicture: handleGetAvatarPicture,
  findAvatar: handleFindAvatar,
  findMediumAvatar: handleFindMediumAvatar,
  updateBotStorage: handleUpdateBotStorage,
  getBotStorage: handleGetBotStorage,
  removeBotStorage: handleRemoveBotStorage,
  createBot: handleCreateBot,
  listBots: handleListBots,
  updateBot: handleUpdateBot,
  deactivateBot: handleDeactivateBot,
  regenerateBotApiKey: handleRegenerateBotApiKey,
  registerClientDevice: handleRegisterClientDevice,
  removeClientDevice: handleRemoveClientDevice,
  registerSealedPush: handleRegisterSealedPush,
  testSealedPush: handleTestSealedPush,
  fetchApiKey: handleFetchApiKey,
  fetchApiKeyByToken: handleFetchApiKeyByToken,
  devFetchApiKey: handleDevFetchApiKey,
  devListUsers: handleDevListUsers,
  regenerateApiKey: handleRegenerateApiKey,
  listExportConsents: handleListExportConsents,
  startExternalLogIn: handleStartExternalLogIn,
  startProviderLogIn: handleStartProviderLogIn,
  startExternalSignUp: handleStartExternalSignUp,
  startProviderSignUp: handleStartProviderSignUp,
  openExternalSite: handleOpenExternalSite,
  openProviderSite: handleOpenProviderSite,
  completeExternalSignIn: handleCompleteExternalSignIn,
  completeProviderSignIn: handleCompleteProviderSignIn,
  completePostedSignIn: handleCompletePostedSignIn,
  showSamlMetadata: handleShowSamlMetadata,
  takeHandOver: handleTakeHandOver,
  startProxySignIn: handleStartProxySignIn,
  completeProxySignIn: handleCompleteProxySignIn,
  submitToken: handleSubmitToken,
  showOrganizationChoice: handleShowOrganizationChoice,
  submitOrganizationChoice: handleSubmitOrganizationChoice,
  createUserGroup: handleCreateUserGroup,
  listUserGroups: handleListUserGroups,
  updateUserGroup: handleUpdateUserGroup,
  deactivateUserGroup: handleDeactivateUserGroup,
  removeUserGroup: handleRemoveUserGroup,
  updateUserGroupMembers: handleUpdateUserGroupMembers,
  listUserGroupMembers: handleListUserGroupMembers,
  isUserGroupMember: handleIsUserGroupMember,
  updateUserGroupSubgroups: handleUpdateUserGroupSubgroups,
  listUserGroupSubgroups: handleListUserGroupSubgroups,
  inviteByEmail: handleInviteByEmail,
  createInviteLink: handleCreateInviteLink,
  listInvitations: handleListInvitations,
  revokeInvitation: handleRevokeInvitation,
  revokeInvitationLink: handleRevokeInvitationLink,
  resendInvitation: handleResendInvitation,
  showLogInPage: handleShowLogInPage,
  submitLogInPage: handleSubmitLogInPage,
  showAccountsLogInPage: handleShowAccountsLogInPage,
  submitAccountsLogInPage: handleSubmitAccountsLogInPage,
  submitLogOutPage: handleSubmitLogOutPage,
  showDeactivatedPage: handleShowDeactivatedPage,
  showOpenJoinPage: handleShowOpenJoinPage,
  submitOpenJoinPage: handleSubmitOpenJoinPage,
  showJoinPage: handleShowJoinPage,
  submitJoinPage: handleSubmitJoinPage,
  showSignUpPage: handleShowSignUpPage,
  submitSignUpPage: handleSubmitSignUpPage,
  showPasswordResetPage: handleShowPasswordResetPage,
  submitPasswordResetPage: handleSubmitPasswordResetPage,
  showNewPasswordPage: handleShowNewPasswordPage,
  submitNewPasswordPage: handleSubmitNewPasswordPage,
  showUnsubscribePage: handleShowUnsubscribePage,
  submitUnsubscribePage: handleSubmitUnsubscribePage,
  confirmNewEmailPage: handleConfirmNewEmailPage,
  listAlertWords: handleListAlertWords,
  addAlertWords: handleAddAlertWords,
  removeAlertWords: handleRemoveAlertWords,
  muteUser: handleMuteUser,
  unmuteUser: handleUnmuteUser,
  markOnboardingStep: handleMarkOnboardingStep,
  runCommand: handleRunCommand,
  updatePresence: handleUpdatePresence,
  getUserPresence: handleGetUserPresence,
  getRealmPresence: handleGetRealmPresence,
  updateProfileData: handleUpdateProfileData,
  removeProfileData: handleRemoveProfileData,
  addApnsDevice: handleAddApnsDevice,
  removeApnsDevice: handleRemoveApnsDevice,
  addAndroidDevice: handleAddAndroidDevice,
  removeAndroidDevice: handleRemoveAndroidDevice,
  addWebPushSubscription: handleAddWebPushSubscription,
  removeWebPushSubscription: handleRemoveWebPushSubscription,
  testPushNotification: handleTestPushNotification,
  listPushDevices: handleListPushDevices,
  removePushDevice: handleRemovePushDevice,
  listSavedSnippets: handleListSavedSnippets,
  createSavedSnippet: handleCreateSavedSnippet,
  updateSavedSnippet: handleUpdateSavedSnippet,
  deleteSavedSnippet: handleDeleteSavedSnippet,
  getScimToken: handleGetScimToken,
  createScimToken: handleCreateScimToken,
  deleteScimToken: handleDeleteScimToken,
  getScimResources: handleGetScimResources,
  createScimResource: handleCreateScimResource,
  replaceScimResource: handleReplaceScimResource,
  patchScimResource: handlePatchScimResource,
  deleteScimResource: handleDeleteScimResource,
  updateSettings: handleUpdateSettings,
  updateDisplaySettings: handleUpdateDisplaySettings,
  updateNotificationSettings: handleUpdateNotificationSettings,
  updateSettingDefaults: handleUpdateSettingDefaults,
  updateStatus: handleUpdateStatus,
  getStatus: handleGetStatus,
  createUser: handleCreateUser,
  listUsers: handleListUsers,
  getOwnUser: handleGetOwnUser,
  getUser: handleGetUser,
  getUserByEmail: handleGetUserByEmail,
}

export const internalHandlers = {
  describeAnnouncement: handleDescribeAnnouncement,
  queueAnnouncement: handleQueueAnnouncement,
  identify: handleIdentify,
  identifyProvisioner: handleIdentifyProvisioner,
  replaceScimToken: handleReplaceScimToken,
  identifyToken: handleIdentifyToken,
  listUsersChanges: handleListUsersChanges,
  ensureUser: handleEnsureUser,
  checkNewAccount: handleCheckNewAccount,
  ensureFirstOwner: handleEnsureFirstOwner,
  setPassword: handleSetPassword,
  syncDirectory: handleSyncDirectory,
  checkSignOn: handleCheckSignOn,
  setEmailChangeRight: handleSetEmailChangeRight,
  listUserProjections: handleListUserProjections,
  listUserGroupProjections: handleListUserGroupProjections,
  checkGroupSettings: handleCheckGroupSettings,
  listDeactivatedUsers: handleListDeactivatedUsers,
  checkRealmPermission: handleCheckRealmPermission,
  ensureSystemBot: handleEnsureSystemBot,
  getBotDefaults: handleGetBotDefaults,
  updateBotChannelNames: handleUpdateBotChannelNames,
  getOutgoingWebhook: handleGetOutgoingWebhook,
  findBotOwner: handleFindBotOwner,
  createIncomingWebhook: handleCreateIncomingWebhook,
  usersRegisterState: handleUsersRegisterState,
  updateGuestVisibility: handleUpdateGuestVisibility,
  describeProjections: handleDescribeProjections,
  replayProjections: handleReplayProjections,
  deleteRealmData: handleDeleteRealmData,
  listLastActivity: handleListLastActivity,
  mailMissedMessages: handleMailMissedMessages,
  pushNotices: handlePushNotices,
  mailTestNotification: handleMailTestNotification,
  mailTestDigest: handleMailTestDigest,
  registerAtPushRelay: handleRegisterAtPushRelay,
  deactivateAtPushRelay: handleDeactivateAtPushRelay,
  reportToPushRelay: handleReportToPushRelay,
  ...exportHandlers,
}
