import { z } from 'zod'
import { auditedChanges } from '../../declarations/audit.ts'
import { domainEvent } from '../../declarations/domain-event.ts'
import { legacyPolicyNames } from '../../permissions/legacy-policies.ts'
import { Role } from '../../permissions/role.ts'
import { exportTypes, realmExport } from '../exports.ts'
import { profileField } from '../profile-fields.ts'
import { codePlayground, emailDomain, linkifier, realmPicture, realmProjection } from '../records.ts'
import { realmSettingValue } from '../settings.ts'

/**
 * The parts that differ, as they were and as they are; both empty after a new order. Absent in events of older
 * releases.
 */
const changedParts = <Part extends z.ZodType>(part: Part) =>
  z.object({ before: z.array(part), after: z.array(part) }).optional()

export const realmCreated = domainEvent({
  name: 'realm.realm_created.v1',
  producer: 'realm',
  summary: 'An organization was created',
  payload: z.object({ projection: realmProjection }),
  audience: () => [],
  audit: {
    actions: { organization_created: 'The organization was created, or imported' },
    entries: ({ projection }) => [{ action: 'organization_created', details: { name: projection.name } }],
  },
})

/** The projection contains all linkifiers, in their order. */
export const linkifiersChanged = domainEvent({
  name: 'realm.linkifiers_changed.v1',
  producer: 'realm',
  summary: 'Linkifiers of an organization were added, changed, removed or put in another order',
  payload: z.object({ projection: realmProjection, changed: changedParts(linkifier) }),
  audience: () => [{ kind: 'realm' }],
  audit: {
    actions: { linkifiers_changed: 'Linkifiers were added, changed, removed or put in another order' },
    entries: ({ changed }) => [{ action: 'linkifiers_changed', details: changed ?? {} }],
  },
})

/** The projection contains all custom emoji. */
export const customEmojiChanged = domainEvent({
  name: 'realm.custom_emoji_changed.v1',
  producer: 'realm',
  summary: 'A custom emoji was added or deactivated',
  payload: z.object({
    projection: realmProjection,
    changed: changedParts(z.object({ id: z.string(), name: z.string(), deactivated: z.boolean() })),
  }),
  audience: () => [{ kind: 'realm' }],
  audit: {
    actions: { custom_emoji_changed: 'A custom emoji was added or deactivated' },
    entries: ({ changed }) => [{ action: 'custom_emoji_changed', details: changed ?? {} }],
  },
})

/** The projection contains all custom profile fields, in their order. */
export const profileFieldsChanged = domainEvent({
  name: 'realm.profile_fields_changed.v1',
  producer: 'realm',
  summary: 'Custom profile fields of an organization were added, changed, removed or put in another order',
  payload: z.object({ projection: realmProjection, changed: changedParts(profileField) }),
  audience: () => [{ kind: 'realm' }],
  audit: {
    actions: {
      profile_fields_changed: 'Custom profile fields were added, changed, removed or put in another order',
    },
    entries: ({ changed }) => [{ action: 'profile_fields_changed', details: changed ?? {} }],
  },
})

/** Delivered in the order of the changes of an organization. */
export const realmUpdated = domainEvent({
  name: 'realm.realm_updated.v1',
  producer: 'realm',
  summary: 'Settings of an organization changed',
  payload: z.object({
    /** The settings that changed, by their name without `realm_`. */
    changes: z.record(z.string(), realmSettingValue),
    /** The same settings before; absent in events of older releases. */
    before: z.record(z.string(), realmSettingValue).optional(),
    projection: realmProjection,
  }),
  audience: () => [{ kind: 'realm' }],
  audit: {
    actions: { organization_updated: 'Settings or permissions of the organization changed' },
    entries: ({ before, changes }) => {
      const names = Object.keys(changes).filter((name) => !(legacyPolicyNames as string[]).includes(name))
      const details = auditedChanges(before ?? {}, changes, names)
      return details ? [{ action: 'organization_updated', details }] : []
    },
  },
})

/** Contains all code playgrounds. */
export const playgroundsChanged = domainEvent({
  name: 'realm.playgrounds_changed.v1',
  producer: 'realm',
  summary: 'A code playground was added or removed',
  payload: z.object({ playgrounds: z.array(codePlayground), projection: realmProjection }),
  audience: () => [{ kind: 'realm' }],
  audit: {
    actions: { playgrounds_changed: 'A code playground was added or removed' },
    entries: ({ playgrounds }) => [{ action: 'playgrounds_changed', details: { after: playgrounds } }],
  },
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
  audit: {
    actions: { email_domain_changed: 'A domain whose addresses may join was added, changed or removed' },
    entries: ({ op, domain }) => [{ action: 'email_domain_changed', details: { op, ...domain } }],
  },
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
  audit: {
    actions: { organization_picture_changed: 'The icon or a logo was uploaded or removed' },
    entries: ({ picture, source }) => [
      { action: 'organization_picture_changed', details: { picture, source } },
    ],
  },
})

/** Deletes the queues of everyone in the organization, after delivering the event. */
export const realmDeactivated = domainEvent({
  name: 'realm.realm_deactivated.v1',
  producer: 'realm',
  summary: 'An organization was deactivated: nobody can use it any more',
  payload: z.object({ projection: realmProjection }),
  audience: () => [{ kind: 'realm' }],
  audit: {
    actions: { organization_deactivated: 'The organization was deactivated' },
    entries: () => [{ action: 'organization_deactivated' }],
  },
})

export const realmReactivated = domainEvent({
  name: 'realm.realm_reactivated.v1',
  producer: 'realm',
  summary: 'A deactivated organization was reactivated',
  payload: z.object({ projection: realmProjection }),
  audience: () => [],
  audit: {
    actions: { organization_reactivated: 'The organization was reactivated' },
    entries: () => [{ action: 'organization_reactivated' }],
  },
})

/** Its users, messages and files are gone by then, and its subdomain is free. Copies of the organization must be deleted. */
export const realmDeleted = domainEvent({
  name: 'realm.realm_deleted.v1',
  producer: 'realm',
  summary: 'A deactivated organization was deleted with all of its data',
  payload: z.object({ realm_id: z.int() }),
  audience: () => [],
  audit: { none: 'The audit log is deleted with the organization.' },
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
    /** The export that changed, and how; absent in events of older releases. */
    changed: z
      .object({
        id: z.int(),
        type: z.literal(Object.values(exportTypes)),
        op: z.enum(['started', 'finished', 'failed', 'deleted']),
      })
      .optional(),
  }),
  audience: () => [{ kind: 'realm', roleAtMost: Role.administrator }],
  audit: {
    actions: { export_changed: 'An export of the organization was started, finished, deleted, or failed' },
    entries: ({ changed }) =>
      changed
        ? [
            {
              action: 'export_changed',
              target: { type: 'export', ids: [changed.id] },
              details: { op: changed.op, type: changed.type },
            },
          ]
        : [],
  },
})
