import { domainEvents, emojiById, exportsFor } from '@tms/contracts'
import { cached, fieldsOf, present } from './presentation.ts'

/** `realm_linkifiers`, to clients that support URL templates. */
export const presentLinkifiersChanged = present(domainEvents.realm.linkifiersChanged, {
  list: (_payload, { record }) =>
    record.client_capabilities.linkifier_url_template ? [{ index: 0, type: 'realm_linkifiers' }] : [],
  write: ({ projection }, _index, _queue, cache) =>
    cached(cache, 'linkifiers', () =>
      fieldsOf({ type: 'realm_linkifiers', realm_linkifiers: projection.linkifiers }),
    ),
})

/** `custom_profile_fields`: the whole list. */
export const presentProfileFieldsChanged = present(domainEvents.realm.profileFieldsChanged, {
  list: () => [{ index: 0, type: 'custom_profile_fields' }],
  write: ({ projection }, _index, _queue, cache) =>
    cached(cache, 'profile fields', () =>
      fieldsOf({ type: 'custom_profile_fields', fields: projection.custom_profile_fields }),
    ),
})

export const presentCustomEmojiChanged = present(domainEvents.realm.customEmojiChanged, {
  list: () => [{ index: 0, type: 'realm_emoji' }],
  write: ({ projection }, _index, _queue, cache) =>
    cached(cache, 'emoji', () =>
      fieldsOf({ type: 'realm_emoji', op: 'update', realm_emoji: emojiById(projection.custom_emoji) }),
    ),
})

/** `realm_playgrounds`: the whole list. */
export const presentPlaygroundsChanged = present(domainEvents.realm.playgroundsChanged, {
  list: () => [{ index: 0, type: 'realm_playgrounds' }],
  write: ({ playgrounds }, _index, _queue, cache) =>
    cached(cache, 'playgrounds', () =>
      fieldsOf({ type: 'realm_playgrounds', realm_playgrounds: playgrounds }),
    ),
})

/** `realm_domains` `add`, `change` or `remove`, the last with the name alone. */
export const presentEmailDomainChanged = present(domainEvents.realm.emailDomainChanged, {
  list: () => [{ index: 0, type: 'realm_domains' }],
  write: ({ op, domain }) =>
    fieldsOf({
      type: 'realm_domains',
      op,
      ...(op === 'remove' ? { domain: domain.domain } : { realm_domain: domain }),
    }),
})

/** `realm_export`: all exports that the queue's owner may see, according to the role at the time of the event. */
export const presentRealmExportsChanged = present(domainEvents.realm.realmExportsChanged, {
  list: (_payload, { record: { role } }) => [{ index: role, type: 'realm_export' }],
  write: ({ exports, full_export_role }, role) =>
    fieldsOf({ type: 'realm_export', exports: exportsFor(exports, role, full_export_role) }),
})
