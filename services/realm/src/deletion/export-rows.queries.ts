import { deleteRows } from '@tms/service-kit'

/** Records of exports: a replica that still makes one gives up, since its lease is gone. */
export const deleteExports = deleteRows('realm_exports', 'realm_id = $1')
