import { z } from 'zod'
import { domainEvent } from '../domain-event.ts'
import { realmFacts } from './records.ts'
import { realmSettingValue } from './settings.ts'

export const realmCreated = domainEvent({
  name: 'realm.realm_created.v1',
  producer: 'realm',
  summary: 'An organization was created',
  payload: z.object({ facts: realmFacts }),
  audience: () => [],
})

/** Delivered in the order of the changes of an organization. */
export const realmUpdated = domainEvent({
  name: 'realm.realm_updated.v1',
  producer: 'realm',
  summary: 'Settings of an organization changed',
  payload: z.object({
    /** The settings that changed, by their name without `realm_`. */
    changes: z.record(z.string(), realmSettingValue),
    facts: realmFacts,
  }),
  audience: () => [{ kind: 'realm' }],
})
