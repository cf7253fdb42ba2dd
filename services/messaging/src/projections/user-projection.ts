import { internal, userProjection } from '@tms/contracts'
import { defineProjection, publisherOf } from '@tms/service-kit'
import { listChangedOwners } from '../bots/former-owner.queries.ts'
import { deleteAllDrafts } from '../drafts/draft.queries.ts'
import { listUsersWithPendingMembership } from '../kernel/projections/published-membership.queries.ts'
import { caseKey } from '../kernel/text/case-key.ts'
import { moveOpenBatches } from '../missed-messages/batch.queries.ts'
import { releaseHeld } from '../missed-messages/held-notice.queries.ts'
import { publishUserChanges } from './publish-user-changes.ts'

const publish = publisherOf('messaging')
const { listUserProjections } = internal.users

/** Users, of every organization. */
export const knownUsers = defineProjection({
  name: 'users',
  record: userProjection,
  table: 'known_users',
  key: 'user_id',
  columns: {
    realm_id: ({ realm_id }) => realm_id,
    email_key: ({ email }) => caseKey(email),
    name_key: ({ full_name }) => caseKey(full_name),
    projection: (user) => user,
  },
  columnsOfNew: {
    published_role: ({ role }) => role,
    published_active: ({ is_active }) => is_active,
  },
  load: {
    pageSize: 5_000,
    list: async (call, { after, limit, realmId }) => {
      const ofRealm = realmId === undefined ? {} : { realm_id: realmId }
      return (await call(listUserProjections, { ...ofRealm, after_user_id: after, limit })).users
    },
    find: async (call, ids) => (await call(listUserProjections, { user_ids: [...ids] })).users,
  },
  /**
   * Deletes the drafts of users who turned off their synchronization: clients keep their own copies. What waits to be
   * mailed is due by the present period, and what is held for the end of quiet hours is looked at again.
   */
  onApplied: async (tx, applied) => {
    const userIds = applied.map(({ record }) => record.user_id)
    await moveOpenBatches(tx, userIds)
    await releaseHeld(tx, userIds)
    const without = applied.filter(({ record }) => !record.settings.enable_drafts_synchronization)
    if (without.length === 0) return
    await deleteAllDrafts(
      tx,
      without.map(({ record }) => record.user_id),
    )
  },
  consequences: {
    listPending: async (db, among) => [
      ...new Set([
        ...(await listUsersWithPendingMembership(db, among)),
        ...(await listChangedOwners(db, among)),
      ]),
    ],
    publish: (tx, userId, requestId) => publishUserChanges(tx, publish, userId, requestId),
  },
})
