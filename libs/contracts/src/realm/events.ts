import { z } from 'zod'
import { domainEvent } from '../domain-event.ts'
import { realmFacts } from './records.ts'

export const realmCreated = domainEvent({
  name: 'realm.realm_created.v1',
  producer: 'realm',
  summary: 'An organization was created',
  payload: z.object({ facts: realmFacts }),
  audience: () => [],
})
