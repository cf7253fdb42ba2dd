import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { findMaxMessageId } from './personal.queries.ts'

/** Returns the newest message that a user received. */
export const handleGetMaxMessageId: InternalHandler<
  typeof internal.messaging.getMaxMessageId,
  Context
> = async ({ user_id }, { db }) => ({ max_message_id: await findMaxMessageId(db, user_id) })
