import type { HandlersOf, InternalHandlersOf } from '@tms/service-kit'
import { handleDescribeLog } from './partitions/describe-log.ts'
import type { Context } from './queues/context.ts'
import { handleDeleteEventQueue } from './queues/delete-queue.ts'
import { handleGetEvents } from './queues/get-events.ts'
import { handleListQueues } from './queues/list-queues.ts'
import { handleRegister } from './queues/register.ts'

export const handlers = {
  register: handleRegister,
  getEvents: handleGetEvents,
  deleteEventQueue: handleDeleteEventQueue,
} satisfies HandlersOf<'events', Context>

export const internalHandlers = {
  listQueues: handleListQueues,
  describeLog: handleDescribeLog,
} satisfies InternalHandlersOf<'events', Context>
