import { z } from 'zod'
import { domainEvent } from '../../declarations/domain-event.ts'
import { Role } from '../../permissions/role.ts'
import { realmExport } from '../exports.ts'
import { codePlayground, emailDomain, realmPicture, realmProjection } from '../records.ts'
import { realmSettingValue } from '../settings.ts'

export const realmCreated = domainEvent({
  name: 'realm.realm_created.v1',
  producer: 'realm',
  summary: 'An organization was created',
  payload: z.object({ projection: realmProjection }),
  audience: () => [],
})

/** The projection contains all linkifiers, in their order. */
export const linkifiersChanged = domainEvent({
  name: 'realm.linkifiers_changed.v1',
  producer: 'realm',
  summary: 'Linkifiers of an organization were added, changed, removed or put in another order',
  payload: z.object({ projection: realmProjection }),
  audience: () => [{ kind: 'realm' }],
})

/** The projection contains all custom emoji. */
export const customEmojiChanged = domainEvent({
  name: 'realm.custom_emoji_changed.v1',
  producer: 'realm',
  summary: 'A custom emoji was added or deactivated',
  payload: z.object({ projection: realmProjection }),
  audience: () => [{ kind: 'realm' }],
})

/** The projection contains all custom profile fields, in their order. */
export const profileFieldsChanged = domainEvent({
  name: 'realm.profile_fields_changed.v1',
  producer: 'realm',
  summary: 'Custom profile fields of an organization were added, changed, removed or put in another order',
  payload: z.object({ projection: realmProjection }),
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
    projection: realmProjection,
  }),
  audience: () => [{ kind: 'realm' }],
})

/** Contains all code playgrounds. */
export const playgroundsChanged = domainEvent({
  name: 'realm.playgrounds_changed.v1',
  producer: 'realm',
  summary: 'A code playground was added or removed',
  payload: z.object({ playgrounds: z.array(codePlayground), projection: realmProjection }),
  audience: () => [{ kind: 'realm' }],
})

export const emailDomainChanged = domainEvent({
  name: 'realm.email_domain_changed.v1',
  producer: 'realm',
  summary: 'A domain whose addresses may join was added, changed or removed',
  payload: z.object({
    op: z.enum(['add', 'change', 'remove']),
    domain: emailDomain,
    projection: realmProjection,
  }),
  audience: () => [{ kind: 'realm' }],
})

export const realmPictureChanged = domainEvent({
  name: 'realm.realm_picture_changed.v1',
  producer: 'realm',
  summary: 'The icon or a wide logo of an organization was uploaded or removed',
  payload: z.object({
    picture: realmPicture,
    url: z.string(),
    /** `U` uploaded, `G` generated, `D` the client's default. */
    source: z.enum(['U', 'G', 'D']),
    projection: realmProjection,
  }),
  audience: () => [{ kind: 'realm' }],
})

/** Deletes the queues of everyone in the organization, after delivering the event. */
export const realmDeactivated = domainEvent({
  name: 'realm.realm_deactivated.v1',
  producer: 'realm',
  summary: 'An organization was deactivated: nobody can use it any more',
  payload: z.object({ projection: realmProjection }),
  audience: () => [{ kind: 'realm' }],
})

export const realmReactivated = domainEvent({
  name: 'realm.realm_reactivated.v1',
  producer: 'realm',
  summary: 'A deactivated organization was reactivated',
  payload: z.object({ projection: realmProjection }),
  audience: () => [],
})

/** Its users, messages and files are gone by then, and its subdomain is free. Copies of the organization must be deleted. */
export const realmDeleted = domainEvent({
  name: 'realm.realm_deleted.v1',
  producer: 'realm',
  summary: 'A deactivated organization was deleted with all of its data',
  payload: z.object({ realm_id: z.int() }),
  audience: () => [],
})

/** Contains all exports, with links to all archives. */
export const realmExportsChanged = domainEvent({
  name: 'realm.realm_exports_changed.v1',
  producer: 'realm',
  summary: 'An export of an organization was started, finished, deleted, or failed',
  payload: z.object({
    exports: z.array(realmExport),
    /** The weakest role that gets links to full exports; 0 means nobody. */
    full_export_role: z.int(),
    projection: realmProjection,
  }),
  audience: () => [{ kind: 'realm', roleAtMost: Role.administrator }],
})
