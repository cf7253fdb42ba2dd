import { domainEvents } from '@tms/contracts'
import { type Publish, type Reaction, reactTo } from '@tms/service-kit'
import { subscribeNewUser } from '../subscriptions/subscribe-new-user.ts'
import { saveRealms, saveUsers } from './projection.queries.ts'

/** What messaging does when users and realm speak. */
export function reactionsToFacts(publish: Publish<'messaging'>): readonly Reaction[] {
  return [
    ...Object.values(domainEvents.realm).map((event) =>
      reactTo(event, (tx, { facts }) => saveRealms(tx, [facts])),
    ),
    reactTo(domainEvents.users.systemBotCreated, (tx, { facts }) => saveUsers(tx, [facts])),
    reactTo(domainEvents.users.userCreated, async (tx, { facts }, { request_id }) => {
      await saveUsers(tx, [facts])
      if (!facts.is_bot) await subscribeNewUser(tx, facts, publish, request_id)
    }),
  ]
}
