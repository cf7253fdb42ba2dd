import { z } from 'zod'
import { internalEndpoint } from '../../declarations/endpoint.ts'
import { exportCallsOf } from '../../exports/export-calls.ts'
import { changesSince } from '../../projections/recent-changes.ts'
import { registerStateBody, registerStateResponse } from '../../register/register-state.ts'
import { spectatorStateBody } from '../../register/spectator-state.ts'
import { pushState } from '../../users/pushes.ts'
import { realmProjection } from '../records.ts'
import { realmSettingValue } from '../settings.ts'

const realmSettingValues = z.record(z.string(), realmSettingValue)

/** Creates an organization, or finds the existing one with this `string_id`. */
export const ensureRealm = internalEndpoint({
  name: 'ensureRealm',
  owner: 'realm',
  path: '/internal/realms',
  body: z.object({ string_id: z.string(), name: z.string(), url: z.string() }),
  response: z.object({ realm_id: z.int() }),
})

/** The projections of the requested organizations, or of all. */
export const listRealmProjections = internalEndpoint({
  name: 'listRealmProjections',
  owner: 'realm',
  path: '/internal/realm-projections',
  body: z.object({
    realm_ids: z.array(z.int()).optional(),
    string_ids: z.array(z.string()).optional(),
    /** Waits for changes of these organizations that have begun. */
    after_changes: z.boolean().optional(),
  }),
  response: z.object({ realms: z.array(realmProjection) }),
})

/** Current records of changed organizations, for services that cache or project them. */
const realmChanges = z.object({ realms: z.array(realmProjection) })
export type RealmChanges = z.output<typeof realmChanges>

/** Changes since the cursor of an earlier answer; null if they aren't known any more, or are too many. */
export const listRealmChanges = internalEndpoint({
  name: 'listRealmChanges',
  owner: 'realm',
  path: '/internal/realm-changes',
  ...changesSince(realmChanges),
})

/** The URL of an organization, even one that is still being imported. Errors: BAD_REQUEST if there is none. */
export const getRealmUrl = internalEndpoint({
  name: 'getRealmUrl',
  owner: 'realm',
  path: '/internal/realm-url',
  body: z.object({ realm_id: z.int() }),
  response: z.object({ url: z.string() }),
})

/**
 * Removes these channels, which were archived, from the settings of an organization. Messaging calls it before it
 * answers the request that archived them: from then on every replica answers accordingly.
 */
export const removeArchivedChannels = internalEndpoint({
  name: 'removeArchivedChannels',
  owner: 'realm',
  path: '/internal/archived-channels',
  body: z.object({ realm_id: z.int(), stream_ids: z.array(z.int()) }),
  response: z.object({}),
})

/**
 * Asks users which of the users that permissions of an organization name are deactivated: clients don't see those. Users
 * calls it before it answers a request that deactivated or reactivated somebody.
 */
export const refreshNamedUsers = internalEndpoint({
  name: 'refreshNamedUsers',
  owner: 'realm',
  path: '/internal/named-users',
  body: z.object({ realm_id: z.int() }),
  response: z.object({}),
})

/** The settings of an organization by their name in the API, without `realm_`. Errors: BAD_REQUEST if there is none. */
export const getRealmSettings = internalEndpoint({
  name: 'getRealmSettings',
  owner: 'realm',
  path: '/internal/realm-settings',
  body: z.object({ realm_id: z.int() }),
  response: z.object({ settings: realmSettingValues }),
})

/**
 * Changes settings of an organization for an operator. Values are written as a client of `PATCH /realm` sends them;
 * returns the changed ones. Errors: those of `PATCH /realm`, and BAD_REQUEST for an unknown setting.
 */
export const changeRealmSettings = internalEndpoint({
  name: 'changeRealmSettings',
  owner: 'realm',
  path: '/internal/changed-realm-settings',
  body: z.object({ realm_id: z.int(), settings: z.record(z.string(), z.string()) }),
  response: z.object({ changes: realmSettingValues }),
})

/**
 * Deactivates or reactivates an organization, for operators; does nothing if it is so already. A reactivated
 * organization is not deleted any more. Errors: BAD_REQUEST for an unknown one and one that is being deleted; SERVICE_UNAVAILABLE if it is done but users can't be informed: repeat the call.
 */
export const setRealmActivity = internalEndpoint({
  name: 'setRealmActivity',
  owner: 'realm',
  path: '/internal/realm-activity',
  body: z.object({ string_id: z.string(), is_active: z.boolean() }),
  response: z.object({ realm_id: z.int(), is_changed: z.boolean() }),
})

/**
 * Deactivates an organization, if it is active, and begins to delete all of its data at once, for operators. It goes on
 * after the answer; a repeated call does nothing more. Errors: BAD_REQUEST for an unknown one; SERVICE_UNAVAILABLE as in
 * `setRealmActivity`.
 */
export const deleteRealm = internalEndpoint({
  name: 'deleteRealm',
  owner: 'realm',
  path: '/internal/delete-realm',
  body: z.object({ realm_id: z.int() }),
  response: z.object({}),
})

/** When deactivated organizations will be deleted, and the progress of those that are being deleted. */
export const listRealmDeletions = internalEndpoint({
  name: 'listRealmDeletions',
  owner: 'realm',
  path: '/internal/realm-deletions',
  body: z.object({}),
  response: z.object({
    deletions: z.array(
      z.object({
        realm_id: z.int(),
        /** UNIX seconds. */
        delete_at: z.int(),
        is_begun: z.boolean(),
        /** Rows and files that are deleted already. */
        deleted: z.int(),
      }),
    ),
  }),
})

/** Records what the push relay service says about organizations; clients get what has changed. Unknown ones are left out. */
export const recordPushStates = internalEndpoint({
  name: 'recordPushStates',
  owner: 'realm',
  path: '/internal/push-states',
  body: z.object({ states: z.array(pushState).max(500) }),
  response: z.object({}),
})

/** The part of register's initial state that realm owns. */
export const realmRegisterState = internalEndpoint({
  name: 'realmRegisterState',
  owner: 'realm',
  path: '/internal/register-state/realm',
  body: registerStateBody,
  response: registerStateResponse,
  tail: 'state',
})

/** The same for spectators. */
export const realmSpectatorState = internalEndpoint({
  name: 'realmSpectatorState',
  owner: 'realm',
  path: '/internal/spectator-state/realm',
  body: spectatorStateBody,
  response: z.object({ state: z.record(z.string(), z.unknown()) }),
})

/**
 * The organization at the host that a client addressed, if people without an account may read its web-public channels
 * at this moment; otherwise null.
 */
export const findSpectatorRealm = internalEndpoint({
  name: 'findSpectatorRealm',
  owner: 'realm',
  path: '/internal/spectator-realm',
  body: z.object({ host: z.string() }),
  response: z.object({ realm_id: z.int().nullable() }),
})

export const { exportRecords, importRecords, exportFile, importFile, removeImport } = exportCallsOf('realm')

/**
 * Opens a completely imported organization, which makes it visible to clients and other services. Does nothing if it
 * is open already. Errors: BAD_REQUEST if there is none.
 */
export const activateImport = internalEndpoint({
  name: 'activateImport',
  owner: 'realm',
  path: '/internal/activate-import',
  body: z.object({ realm_id: z.int() }),
  response: z.object({ url: z.string() }),
})
