import { type AuditRecord, type EndpointInput, endpoints } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'
import { expect } from 'vitest'
import { until } from './until.ts'

export type AuditQuery = EndpointInput<typeof endpoints.realm.listAuditLog>

/** Entries as an administrator of the organization gets them, the newest first. */
export const listEntries = async (administrator: ApiClient, query: AuditQuery): Promise<AuditRecord[]> =>
  (await administrator.call(endpoints.realm.listAuditLog, query)).entries

/** The newest entry that matches, once there is one. */
export async function newestEntry(administrator: ApiClient, query: AuditQuery): Promise<AuditRecord> {
  const find = async () => (await listEntries(administrator, { ...query, limit: 1 }))[0]
  await until(async () => (await find()) !== undefined)
  const entry = await find()
  if (!entry) throw new Error('there is no entry')
  return entry
}

/** The newest of an action that has such details, once there is one. */
async function entryWith(
  administrator: ApiClient,
  query: AuditQuery,
  details: Readonly<Record<string, string>>,
): Promise<AuditRecord | undefined> {
  const find = async () =>
    (await listEntries(administrator, query)).find((entry) =>
      Object.entries(details).every(([name, value]) => entry.details?.[name] === value),
    )
  await until(async () => (await find()) !== undefined)
  return find()
}

const aboutUser = ({ userId }: Pick<ApiClient, 'userId'>) =>
  ({ target_type: 'user', target_id: userId }) as const

interface SignIn {
  readonly user: Pick<ApiClient, 'userId'>
  readonly method: string
  readonly grants: 'api_key' | 'session'
  readonly address: string
}

/** The log says that the user signed in, how, and from where. */
export async function expectSignIn(
  administrator: ApiClient,
  { user, method, grants, address }: SignIn,
): Promise<void> {
  const query = { ...aboutUser(user), actions: ['signed_in'] }
  expect(await entryWith(administrator, query, { method, grants })).toMatchObject({
    ...{ actor_kind: 'user', actor_id: user.userId, target_ids: [user.userId], ip_address: address },
  })
}

interface RefusedSignIn {
  /** Null: it led to no account. */
  readonly user: Pick<ApiClient, 'userId'> | null
  readonly method: string
  readonly reason: string
  readonly address: string
}

/** The log says that a sign-in was refused, whose account it was about, why, and from where. */
export async function expectRefusal(
  administrator: ApiClient,
  { user, method, reason, address }: RefusedSignIn,
): Promise<void> {
  const query = { ...(user && aboutUser(user)), actions: ['sign_in_refused'] }
  expect(await entryWith(administrator, query, { method, reason })).toMatchObject({
    ...{ actor_kind: 'nobody', actor_id: null },
    ...{ target_ids: user === null ? [] : [user.userId], ip_address: address },
  })
}
