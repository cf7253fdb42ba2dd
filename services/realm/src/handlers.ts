import type { HandlersOf, InternalHandlersOf } from '@tms/service-kit'
import type { Context } from './context.ts'
import { handleDeactivateCustomEmoji } from './emoji/deactivate-custom-emoji.ts'
import { handleGetEmojiData } from './emoji/get-emoji-data.ts'
import { handleGetEmojiPicture } from './emoji/get-emoji-picture.ts'
import { handleListCustomEmoji } from './emoji/list-custom-emoji.ts'
import { handleUploadCustomEmoji } from './emoji/upload-custom-emoji.ts'
import { handleAddLinkifier } from './linkifiers/add-linkifier.ts'
import { handleListLinkifiers } from './linkifiers/list-linkifiers.ts'
import { handleRemoveLinkifier } from './linkifiers/remove-linkifier.ts'
import { handleReorderLinkifiers } from './linkifiers/reorder-linkifiers.ts'
import { handleUpdateLinkifier } from './linkifiers/update-linkifier.ts'
import { handleCreateProfileField } from './profile-fields/create-profile-field.ts'
import { handleListProfileFields } from './profile-fields/list-profile-fields.ts'
import { handleRemoveProfileField } from './profile-fields/remove-profile-field.ts'
import { handleReorderProfileFields } from './profile-fields/reorder-profile-fields.ts'
import { handleUpdateProfileField } from './profile-fields/update-profile-field.ts'
import { handleEnsureRealm } from './realms/ensure-realm.ts'
import { handleListRealmFacts } from './realms/list-realm-facts.ts'
import { handleChangeRealmSettings, handleGetRealmSettings } from './realms/operate-settings.ts'
import { handleUpdateRealm } from './realms/update-realm.ts'
import { handleRealmRegisterState } from './register-state/realm-register-state.ts'
import { handleGetServerSettings } from './server-settings/get-server-settings.ts'

export const handlers = {
  getServerSettings: handleGetServerSettings,
  updateRealm: handleUpdateRealm,
  listLinkifiers: handleListLinkifiers,
  reorderLinkifiers: handleReorderLinkifiers,
  addLinkifier: handleAddLinkifier,
  updateLinkifier: handleUpdateLinkifier,
  removeLinkifier: handleRemoveLinkifier,
  listProfileFields: handleListProfileFields,
  createProfileField: handleCreateProfileField,
  updateProfileField: handleUpdateProfileField,
  reorderProfileFields: handleReorderProfileFields,
  removeProfileField: handleRemoveProfileField,
  listCustomEmoji: handleListCustomEmoji,
  uploadCustomEmoji: handleUploadCustomEmoji,
  deactivateCustomEmoji: handleDeactivateCustomEmoji,
  getEmojiPicture: handleGetEmojiPicture,
  getEmojiData: handleGetEmojiData,
} satisfies HandlersOf<'realm', Context>

export const internalHandlers = {
  ensureRealm: handleEnsureRealm,
  listRealmFacts: handleListRealmFacts,
  getRealmSettings: handleGetRealmSettings,
  changeRealmSettings: handleChangeRealmSettings,
  realmRegisterState: handleRealmRegisterState,
} satisfies InternalHandlersOf<'realm', Context>
