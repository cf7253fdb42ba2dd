import type { HandlersOf, InternalHandlersOf } from '@tms/service-kit'
import type { Context } from './context.ts'
import { handleAddLinkifier } from './linkifiers/add-linkifier.ts'
import { handleListLinkifiers } from './linkifiers/list-linkifiers.ts'
import { handleRemoveLinkifier } from './linkifiers/remove-linkifier.ts'
import { handleReorderLinkifiers } from './linkifiers/reorder-linkifiers.ts'
import { handleUpdateLinkifier } from './linkifiers/update-linkifier.ts'
import { handleEnsureRealm } from './realms/ensure-realm.ts'
import { handleListRealmFacts } from './realms/list-realm-facts.ts'
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
} satisfies HandlersOf<'realm', Context>

export const internalHandlers = {
  ensureRealm: handleEnsureRealm,
  listRealmFacts: handleListRealmFacts,
  realmRegisterState: handleRealmRegisterState,
} satisfies InternalHandlersOf<'realm', Context>
