import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { findPointer } from './pointer.queries.ts'

const NOWHERE = -1

/** Returns the newest message that the caller has seen, or -1. */
export const handleGetPointer: Handler<typeof endpoints.messaging.getPointer, Context> = async ({
  caller,
  context,
}) => ({ pointer: (await findPointer(context.db, caller.userId)) ?? NOWHERE })
