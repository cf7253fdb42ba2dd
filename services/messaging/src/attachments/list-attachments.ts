import type { endpoints } from '@tms/contracts'
import { type Handler, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { listOwnRecords } from './attachment-record.queries.ts'
import { findSpaceUsed } from './upload-space.queries.ts'

/** Lists the caller's own files, with the messages that link them. */
export const handleListAttachments: Handler<typeof endpoints.messaging.listAttachments, Context> = ({
  caller,
  context,
}) =>
  transact(
    context.db,
    async (tx) => ({
      attachments: await listOwnRecords(tx, caller.userId),
      upload_space_used: await findSpaceUsed(tx, caller.realmId),
    }),
    'begin isolation level repeatable read read only',
  )
