import type { HandlersOf } from '@tms/service-kit'
import type { Context } from './context.ts'
import { handleDeleteEventQueue } from './queues/delete-queue.ts'
import { handleGetEvents } from './queues/get-events.ts'
import { handleRegister } from './queues/register.ts'

export const handlers = {
  register: handleRegister,
  getEvents: handleGetEvents,
  deleteEventQueue: handleDeleteEventQueue,
} satisfies HandlersOf<'events', Context>
