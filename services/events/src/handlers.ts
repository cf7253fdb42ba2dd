// Written by `npm run gen` (tools/barrels.ts).

import { handleDescribeLog } from './partitions/describe-log.ts'
import { handleAcknowledgeEvents } from './queues/acknowledge-events.ts'
import { handleDeleteEventQueue } from './queues/delete-queue.ts'
import { handleGetEvents } from './queues/get-events.ts'
import { handleListQueues } from './queues/list-queues.ts'
import { handleRegister } from './queues/register.ts'
import { handleStreamEvents } from './queues/stream-events.ts'

export const handlers = {
  register: handleRegister,
  getEvents: handleGetEvents,
  streamEvents: handleStreamEvents,
  acknowledgeEvents: handleAcknowledgeEvents,
  deleteEventQueue: handleDeleteEventQueue,
}

export const internalHandlers = { listQueues: handleListQueues, describeLog: handleDescribeLog }
