import type { RealmRecord } from '@tms/contracts'
import { exportPartHandlers } from '@tms/service-kit'
import { realmPart } from '../archive-part/realm-part.ts'
import type { Context } from '../kernel/context.ts'
import { handleRemoveImport } from './remove-import.ts'

const partHandlers = exportPartHandlers<RealmRecord, Context>(realmPart)

/** Internal endpoints that export and import realm's part of an organization. */
export const exportHandlers: typeof partHandlers = { ...partHandlers, removeImport: handleRemoveImport }
