import { domainEvents } from '@tms/contracts'
import { expect, test } from 'vitest'
import { publishUnsequenced } from './unsequenced-entry.ts'

test('unsequenced events bypass the projections stream, whose readers would mistake them for a first entry', async () => {
  const published: { routingKey: string; body: string }[] = []
  const publisher = {
    publish: async (messages: readonly { routingKey: string; body: string }[]) => {
      published.push(...messages)
    },
    close: async () => {},
  }
  const presence = { client: 'website', status: 'idle', timestamp: 1, pushable: false } as const
  const payload = { user_id: 1, email: 'a@example.com', server_timestamp: 1, presence }

  await publishUnsequenced(publisher, domainEvents.users.presenceChanged, payload, {
    realmId: 1,
    requestId: null,
  })

  expect(published.map(({ routingKey }) => routingKey)).toEqual(['passing.users.presence_changed.v1.1'])
  expect(JSON.parse(published[0]?.body ?? '')).toMatchObject({ seq: 0, event: 'users.presence_changed.v1' })
})
