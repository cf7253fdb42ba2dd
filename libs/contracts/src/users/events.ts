import { z } from 'zod'
import { domainEvent } from '../domain-event.ts'
import { userFacts, userWithActivity } from './records.ts'

/** After it, every service can know the user. */
export const userCreated = domainEvent({
  name: 'users.user_created.v1',
  producer: 'users',
  summary: 'A user joined the organization',
  payload: z.object({ user: userWithActivity, facts: userFacts }),
  audience: () => [{ kind: 'realm' }],
})

/** Clients learn of it from register; services need its facts. */
export const systemBotCreated = domainEvent({
  name: 'users.system_bot_created.v1',
  producer: 'users',
  summary: "An organization's own actor was created",
  payload: z.object({ facts: userFacts }),
  audience: () => [],
})
