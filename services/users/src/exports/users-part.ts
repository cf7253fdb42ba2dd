import { internal, type UsersRecord, usersRecord } from '@tms/contracts'
import type { ServicePart } from '@tms/service-kit'
import { avatarFolderOf } from '../avatars/avatar-files.ts'
import type { Context } from '../kernel/context.ts'
import { exportRecords, listExportedFiles } from './export-records.ts'
import { countRecords } from './exported-record.queries.ts'
import { importRecords } from './import-records.ts'
import { removeImport } from './remove-import.ts'

/** This service's part of exports and imports: users, groups, invitations and avatar files. */
export const usersPart: ServicePart<UsersRecord, Context> = {
  records: usersRecord,
  countRecords,
  exportRecords,
  listFiles: listExportedFiles,
  importRecords: async (tx, realmId, records, { call }) => {
    const { url } = await call(internal.realm.getRealmUrl, { realm_id: realmId })
    await importRecords(tx, { realmId, url }, records)
  },
  removeRecords: removeImport,
  filePrefixes: (realmId) => [avatarFolderOf(realmId)],
}
