import { domainEvents, type PayloadOf, realmPermissionNames } from '@tms/contracts'
import { cached, fieldsOf, present } from './presentation.ts'

/** Settings that clients expect in one `update_dict`; every other setting has its own `update`. */
const UPDATED_TOGETHER: ReadonlySet<string> = new Set([
  'allow_message_editing',
  'authentication_methods',
  'edit_topic_policy',
  'message_content_edit_limit_seconds',
  'message_edit_history_visibility_policy',
  ...realmPermissionNames,
])

type Changes = PayloadOf<typeof domainEvents.realm.realmUpdated>['changes']

/** `realm` `update` for each single setting, then one `update_dict` for the combined ones. */
export const presentRealmUpdated = present(domainEvents.realm.realmUpdated, {
  list: ({ changes }, _queue, cache) =>
    cached(cache, 'events', () => eventsOf(changes)).map((_, index) => ({ index, type: 'realm' })),
  write: ({ changes }, index, _queue, cache) => cached(cache, 'events', () => eventsOf(changes))[index] ?? '',
})

function eventsOf(changes: Changes): string[] {
  const entries = Object.entries(changes)
  const data = Object.fromEntries(entries.filter(([property]) => UPDATED_TOGETHER.has(property)))
  const events = entries
    .filter(([property]) => !UPDATED_TOGETHER.has(property))
    .map(([property, value]) => fieldsOf({ type: 'realm', op: 'update', property, value }))
  if (Object.keys(data).length > 0)
    events.push(fieldsOf({ type: 'realm', op: 'update_dict', property: 'default', data }))
  return events
}

/** `realm` `update_dict` of the picture's URL and source. */
export const presentRealmPictureChanged = present(domainEvents.realm.realmPictureChanged, {
  list: () => [{ index: 0, type: 'realm' }],
  write: ({ picture, url, source }) =>
    fieldsOf({
      type: 'realm',
      op: 'update_dict',
      property: picture,
      data: { [`${picture}_url`]: url, [`${picture}_source`]: source },
    }),
})

/** `realm` `deactivated`, the last event of a queue. */
export const presentRealmDeactivated = present(domainEvents.realm.realmDeactivated, {
  list: () => [{ index: 0, type: 'realm' }],
  write: ({ projection }) => fieldsOf({ type: 'realm', op: 'deactivated', realm_id: projection.realm_id }),
})
