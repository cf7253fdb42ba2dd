// Written by `npm run gen` (tools/barrels.ts).

import { handleDescribeLog } from './partitions/describe-log.ts'
import { handleDeleteEventQueue } from './queues/delete-queue.ts'
import { handleGetEvents } from './queues/get-events.ts'
import { handleListQueues } from './queues/list-queues.ts'
import { handleRegister } from './queues/register.ts'

export const handlers = {
  register: handleRegister,
  getEvents: handleGetEvents,
  deleteEventQueue: handleDeleteEventQueue,
}

export const internalHandlers = { listQueues: handleListQueues, describeLog: handleDescribeLog }
