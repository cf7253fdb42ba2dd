import { z } from 'zod'
import { internalEndpoint } from '../endpoint.ts'
import { registerStateBody, registerStateResponse } from '../events/register-state.ts'
import { spectatorStateBody } from '../events/spectator-state.ts'
import { exportCallsOf } from '../exports/internal.ts'
import { changesSince } from '../recent-changes.ts'
import { realmProjection } from './records.ts'
import { realmSettingValue } from './settings.ts'

const realmSettingValues = z.record(z.string(), realmSettingValue)

/** Creates an organization, or finds the one that has the `string_id`. */
export const ensureRealm = internalEndpoint({
  name: 'ensureRealm',
  owner: 'realm',
  path: '/internal/realms',
  body: z.object({ string_id: z.string(), name: z.string(), url: z.string() }),
  response: z.object({ realm_id: z.int() }),
})

/** The facts of organizations: those asked for, else all. */
export const listRealmProjections = internalEndpoint({
  name: 'listRealmProjections',
  owner: 'realm',
  path: '/internal/realm-projection',
  body: z.object({ realm_ids: z.array(z.int()).optional(), string_ids: z.array(z.string()).optional() }),
  response: z.object({ realms: z.array(realmProjection) }),
})

/** What other services cache or project of organizations, of those that changed. */
const realmChanges = z.object({ realms: z.array(realmProjection) })
export type RealmChanges = z.output<typeof realmChanges>

/** Changes since the cursor of an earlier answer; null where they aren't known any more, or are very many. */
export const listRealmChanges = internalEndpoint({
  name: 'listRealmChanges',
  owner: 'realm',
  path: '/internal/realm-changes',
  ...changesSince(realmChanges),
})

/** Where an organization is, also one that is still being imported. Errors: BAD_REQUEST if there is none. */
export const getRealmUrl = internalEndpoint({
  name: 'getRealmUrl',
  owner: 'realm',
  path: '/internal/realm-url',
  body: z.object({ realm_id: z.int() }),
  response: z.object({ url: z.string() }),
})

/**
 * Has settings of an organization that name one of these channels, which were archived, name none. Messaging calls it
 * before it answers the request that archived them: from then on every replica answers by it.
 */
export const removeArchivedChannels = internalEndpoint({
  name: 'removeArchivedChannels',
  owner: 'realm',
  path: '/internal/archived-channels',
  body: z.object({ realm_id: z.int(), stream_ids: z.array(z.int()) }),
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
 * Changes settings of an organization on behalf of who runs the installation. Values are written as a client of
 * `PATCH /realm` sends them; answers those that are not what they were. Errors: those of `PATCH /realm`, and BAD_REQUEST
 * for a setting that there isn't.
 */
export const changeRealmSettings = internalEndpoint({
  name: 'changeRealmSettings',
  owner: 'realm',
  path: '/internal/changed-realm-settings',
  body: z.object({ realm_id: z.int(), settings: z.record(z.string(), z.string()) }),
  response: z.object({ changes: realmSettingValues }),
})

/**
 * Deactivates an organization, or gives it back to its people as it was; one that is as wanted stays so. For operators.
 * Errors: BAD_REQUEST for an unknown one; SERVICE_UNAVAILABLE when it is done but users can't be told: to be asked again.
 */
export const setRealmActivity = internalEndpoint({
  name: 'setRealmActivity',
  owner: 'realm',
  path: '/internal/realm-activity',
  body: z.object({ string_id: z.string(), is_active: z.boolean() }),
  response: z.object({ realm_id: z.int(), is_changed: z.boolean() }),
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
 * The organization at the host that a client addressed, if people without an account may read its web-public channels at this
 * moment; else null.
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
 * Opens an organization whose import is whole: from then on there is one, also for the other services. One that is open stays
 * so. Errors: BAD_REQUEST where there is none.
 */
export const openImport = internalEndpoint({
  name: 'openImport',
  owner: 'realm',
  path: '/internal/open-import',
  body: z.object({ realm_id: z.int() }),
  response: z.object({ url: z.string() }),
})
