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

/** Its facts have all linkifiers, in their order. */
export const linkifiersChanged = domainEvent({
  name: 'realm.linkifiers_changed.v1',
  producer: 'realm',
  summary: 'Linkifiers of an organization were added, changed, removed or put in another order',
  payload: z.object({ facts: realmFacts }),
  audience: () => [{ kind: 'realm' }],
})

/** Its facts have all custom emoji. */
export const customEmojiChanged = domainEvent({
  name: 'realm.custom_emoji_changed.v1',
  producer: 'realm',
  summary: 'A custom emoji was added or deactivated',
  payload: z.object({ facts: realmFacts }),
  audience: () => [{ kind: 'realm' }],
})

/** Its facts have all custom profile fields, in their order. */
export const profileFieldsChanged = domainEvent({
  name: 'realm.profile_fields_changed.v1',
  producer: 'realm',
  summary: 'Custom profile fields of an organization were added, changed, removed or put in another order',
  payload: z.object({ facts: realmFacts }),
  audience: () => [{ kind: 'realm' }],
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
