// Written by `npm run gen` (tools/barrels.ts).

import { handleDeactivateRealm } from './activity/deactivate-realm.ts'
import { handleSetRealmActivity } from './activity/set-realm-activity.ts'
import { handleExportAuditLog } from './audit-log/export-audit-log.ts'
import { handleListAuditLog } from './audit-log/list-audit-log.ts'
import { handleCreateBigBlueButtonCall, handleCreateZoomCall } from './calls/create-call.ts'
import { handleJoinCallPage, handleShowCallPage } from './calls/join-call.ts'
import { handleListRealmChanges } from './changes/list-changes.ts'
import { handleDeleteRealm } from './deletion/delete-realm.ts'
import { handleListRealmDeletions } from './deletion/list-realm-deletions.ts'
import { handleAddEmailDomain } from './email-domains/add-email-domain.ts'
import { handleListEmailDomains } from './email-domains/list-email-domains.ts'
import { handleRemoveEmailDomain } from './email-domains/remove-email-domain.ts'
import { handleUpdateEmailDomain } from './email-domains/update-email-domain.ts'
import { handleDeactivateCustomEmoji } from './emoji/deactivate-custom-emoji.ts'
import { handleGetEmojiData } from './emoji/get-emoji-data.ts'
import { handleGetEmojiPicture } from './emoji/get-emoji-picture.ts'
import { handleListCustomEmoji } from './emoji/list-custom-emoji.ts'
import { handleUploadCustomEmoji } from './emoji/upload-custom-emoji.ts'
import { handleDeleteExport } from './exports/delete-export.ts'
import { handleGetExportArchive } from './exports/get-export-archive.ts'
import { handleListExports } from './exports/list-exports.ts'
import { handleStartExport } from './exports/start-export.ts'
import { handleActivateImport } from './imports/activate-import.ts'
import { exportHandlers } from './imports/export-handlers.ts'
import { handleAddLinkifier } from './linkifiers/add-linkifier.ts'
import { handleListFilters } from './linkifiers/list-filters.ts'
import { handleListLinkifiers } from './linkifiers/list-linkifiers.ts'
import { handleRemoveLinkifier } from './linkifiers/remove-linkifier.ts'
import { handleReorderLinkifiers } from './linkifiers/reorder-linkifiers.ts'
import { handleUpdateLinkifier } from './linkifiers/update-linkifier.ts'
import { handleGetRealmPicture } from './pictures/get-realm-picture.ts'
import { handleDeleteIcon, handleFindIcon, handleUploadIcon } from './pictures/icon.ts'
import { handleDeleteLogo, handleFindLogo, handleUploadLogo } from './pictures/logo.ts'
import { handleAddPlayground } from './playgrounds/add-playground.ts'
import { handleListPlaygrounds } from './playgrounds/list-playgrounds.ts'
import { handleRemovePlayground } from './playgrounds/remove-playground.ts'
import { handleCreateProfileField } from './profile-fields/create-profile-field.ts'
import { handleListProfileFields } from './profile-fields/list-profile-fields.ts'
import { handleRemoveProfileField } from './profile-fields/remove-profile-field.ts'
import { handleReorderProfileFields } from './profile-fields/reorder-profile-fields.ts'
import { handleUpdateProfileField } from './profile-fields/update-profile-field.ts'
import { handleRecordPushStates } from './push-states/record-push-states.ts'
import { handleEnsureRealm } from './realms/ensure-realm.ts'
import { handleGetRealmUrl } from './realms/get-realm-url.ts'
import { handleRefreshNamedUsers } from './realms/hidden-members.ts'
import { handleListRealmProjections } from './realms/list-realm-projections.ts'
import { handleChangeRealmSettings, handleGetRealmSettings } from './realms/operate-settings.ts'
import { handleRemoveArchivedChannels } from './realms/remove-archived-channels.ts'
import { handleUpdateRealm } from './realms/update-realm.ts'
import { handleRealmRegisterState } from './register-state/realm-register-state.ts'
import { handleCheckCompatibility } from './server-settings/check-compatibility.ts'
import { handleGetServerSettings } from './server-settings/get-server-settings.ts'
import { handleFindSpectatorRealm } from './spectators/find-spectator-realm.ts'
import { handleRealmSpectatorState } from './spectators/spectator-state.ts'

export const handlers = {
  listAuditLog: handleListAuditLog,
  exportAuditLog: handleExportAuditLog,
  createZoomCall: handleCreateZoomCall,
  createBigBlueButtonCall: handleCreateBigBlueButtonCall,
  showCallPage: handleShowCallPage,
  joinCallPage: handleJoinCallPage,
  deactivateRealm: handleDeactivateRealm,
  listEmailDomains: handleListEmailDomains,
  addEmailDomain: handleAddEmailDomain,
  updateEmailDomain: handleUpdateEmailDomain,
  removeEmailDomain: handleRemoveEmailDomain,
  startExport: handleStartExport,
  listExports: handleListExports,
  deleteExport: handleDeleteExport,
  getExportArchive: handleGetExportArchive,
  getServerSettings: handleGetServerSettings,
  checkCompatibility: handleCheckCompatibility,
  updateRealm: handleUpdateRealm,
  listLinkifiers: handleListLinkifiers,
  reorderLinkifiers: handleReorderLinkifiers,
  listFilters: handleListFilters,
  addLinkifier: handleAddLinkifier,
  updateLinkifier: handleUpdateLinkifier,
  removeLinkifier: handleRemoveLinkifier,
  listCustomEmoji: handleListCustomEmoji,
  uploadCustomEmoji: handleUploadCustomEmoji,
  deactivateCustomEmoji: handleDeactivateCustomEmoji,
  getEmojiPicture: handleGetEmojiPicture,
  getEmojiData: handleGetEmojiData,
  uploadIcon: handleUploadIcon,
  deleteIcon: handleDeleteIcon,
  findIcon: handleFindIcon,
  uploadLogo: handleUploadLogo,
  deleteLogo: handleDeleteLogo,
  findLogo: handleFindLogo,
  getRealmPicture: handleGetRealmPicture,
  listPlaygrounds: handleListPlaygrounds,
  addPlayground: handleAddPlayground,
  removePlayground: handleRemovePlayground,
  listProfileFields: handleListProfileFields,
  createProfileField: handleCreateProfileField,
  updateProfileField: handleUpdateProfileField,
  reorderProfileFields: handleReorderProfileFields,
  removeProfileField: handleRemoveProfileField,
}

export const internalHandlers = {
  ensureRealm: handleEnsureRealm,
  listRealmProjections: handleListRealmProjections,
  listRealmChanges: handleListRealmChanges,
  getRealmUrl: handleGetRealmUrl,
  removeArchivedChannels: handleRemoveArchivedChannels,
  refreshNamedUsers: handleRefreshNamedUsers,
  getRealmSettings: handleGetRealmSettings,
  changeRealmSettings: handleChangeRealmSettings,
  setRealmActivity: handleSetRealmActivity,
  deleteRealm: handleDeleteRealm,
  listRealmDeletions: handleListRealmDeletions,
  recordPushStates: handleRecordPushStates,
  realmRegisterState: handleRealmRegisterState,
  realmSpectatorState: handleRealmSpectatorState,
  findSpectatorRealm: handleFindSpectatorRealm,
  activateImport: handleActivateImport,
  ...exportHandlers,
}
