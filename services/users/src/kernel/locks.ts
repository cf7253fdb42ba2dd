import { defineLockOrder } from '@tms/service-kit'

/**
 * The locks of this service's transactions. Each transaction takes those that it needs from the first level to the
 * last; what is out of order is logged as an error and counted (`lock_order_violations_total`).
 */
export const locks = defineLockOrder({
  channelNames: {
    locks: 'the default channels of bots in an organization, and their names',
    mode: 'advisory, exclusive',
    order: 'one for each transaction',
    reason: 'messaging is asked for the names before anything is written',
  },
  groups: {
    locks: 'the user groups of an organization',
    mode: 'advisory, exclusive',
    order: 'one for each transaction',
    reason: 'groups are read as a whole before one is changed',
  },
  administration: {
    locks: 'roles and activity in an organization',
    mode: 'advisory, exclusive',
    order: 'one for each transaction',
    reason: 'owners are counted before accounts are locked',
  },
  admissions: {
    locks: 'sign-ups with an address, and the invitations and confirmations that admit it',
    mode: 'advisory, exclusive; rows of invitations and address_confirmations, for update',
    order: 'the address, invitations by ID, the confirmation',
    reason: 'they decide whether there will be an account',
  },
  accounts: {
    locks: 'accounts',
    mode: 'row of accounts, for no key update; for share if only their visibility changes',
    order: 'by ID if there are many; an owner and a bot as the change finds them',
    reason: 'everything below belongs to an account',
  },
  names: {
    locks: 'full names of an organization, or one name of a bot',
    mode: 'advisory, exclusive',
    order: 'one for each transaction',
    reason: 'only after its account is locked is it known whether a name changes',
  },
  emailVisibility: {
    locks: 'addresses, their visibility and the managers of bots in an organization',
    mode: 'advisory, shared; exclusive for changes of roles',
    order: 'one for each transaction',
    reason: 'changes of accounts take it when they are published, and their accounts are locked by then',
  },
  profileFields: {
    locks: 'the profile fields of an organization',
    mode: 'row of known_realms, for share',
    order: 'one for each transaction',
    reason: 'values are compared with the fields that exist when they are stored',
  },
  invitations: {
    locks: 'an invitation or a link',
    mode: 'row of invitations or invitation_links, for update',
    order: 'one for each transaction',
    reason: 'the role of an account, which is locked by then, decides whether it may be changed',
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
