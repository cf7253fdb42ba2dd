import { defineLockOrder } from '@tms/service-kit'

/**
 * The locks of this service's transactions. Each transaction takes those that it needs from the first level to the
 * last; what is out of order is logged as an error and counted (`lock_order_violations_total`).
 *
 * These have no level, since nobody waits for them who holds something that their holder still needs:
 * - Rows of one account (`bots`, `bot_storage`, `waiting_members`, `email_changes`, `push_devices`, `client_devices`, `saved_snippets`,
 *   `scim_accounts`, `api_tokens` and so on) change under the lock of that account, rows of `user_groups` and `scim_groups` under that of groups, and those of
 *   `guest_visibility` under that of `guestVisibility`.
 * - A job's row changes under the lock of what its key names; jobs without a key are new rows.
 * - Rows of `push_deliveries` change under a lock of their device (withdrawals under a shared one, in the order of their IDs), by
 *   statements that skip locked rows, or one row at a time in a transaction of its own.
 * - Rows of `password_attempts` and `password_resets` are the last that a transaction changes.
 * - An insert waits for another of the same address. Those that go on to wait for more hold the lock of the address.
 * - The cleanup of expired rows, and the group of full members, skip locked rows; if an account is never free, the
 *   latter waits for it and for nothing else.
 */
export const locks = defineLockOrder({
  channelNames: {
    locks: 'the default channels of bots in an organization, and their names',
    mode: 'advisory, exclusive',
    order: 'one for each transaction',
    reason: 'messaging is asked for the names before anything that others wait for is locked',
  },
  groups: {
    locks: 'the user groups of an organization',
    mode: 'advisory, exclusive',
    order: 'one for each transaction',
    reason: 'groups are read as a whole before one is changed',
  },
  guestVisibility: {
    locks: "what an organization's guests see",
    mode: 'row of guest_visibility_policies, by upsert',
    order: 'one for each transaction',
    reason: 'it decides whether a change from messaging is applied at all',
  },
  administration: {
    locks:
      'roles and activity in an organization, the owners of its bots, and what follows: who sees addresses and bots',
    mode: 'advisory, exclusive; shared for changes of addresses, their visibility and bots, and for new accounts',
    order: 'one for each transaction, which never goes from shared to exclusive',
    reason: 'it fixes which accounts a change concerns, so that the next level can be locked at once',
  },
  browsers: {
    locks: 'a browser that several accounts may register',
    mode: 'advisory, exclusive',
    order: 'one for each transaction',
    reason: 'it changes rows of accounts that are not locked, which register the same browser',
  },
  accounts: {
    locks: 'accounts',
    mode: 'row of accounts, for no key update; for share if only their visibility changes',
    order: 'by ID',
    reason: 'everything below belongs to an account',
  },
  devices: {
    locks: 'devices for which notifications wait',
    mode: 'rows of push_devices, for key share; for update where a failed notification ends',
    order: 'by ID',
    reason: 'who removes a device, under the lock of its account, goes on to remove what waits for it',
  },
  names: {
    locks: 'full names of an organization, or one name of a bot',
    mode: 'advisory, exclusive',
    order: 'one for each transaction',
    reason: 'only after its account is locked is it known whether a name changes',
  },
  invitations: {
    locks: 'new accounts with an address; invitations, links, and confirmations of addresses',
    mode: 'advisory, exclusive; rows of invitations, invitation_links and address_confirmations, for update',
    order: 'the address, invitations by ID, links, the confirmation',
    reason: 'they end when an account is created or loses its rights, and its name is checked by then',
  },
  profileFields: {
    locks: 'the profile fields of an organization',
    mode: 'row of known_realms, for share',
    order: 'one for each transaction',
    reason: 'values are compared with the fields that exist when they are stored',
  },
  limits: {
    locks: 'the counts of sent invitations and requested mails',
    mode: 'rows of invitation_counts and mail_requests, by upsert',
    order: 'all at once, by name',
    reason: 'many accounts share a count, so its row is held briefly',
  },
  settingDefaults: {
    locks: 'the default settings of an organization',
    mode: 'row of setting_defaults, by upsert',
    order: 'one for each transaction',
    reason: 'only its own change takes it',
  },
})
