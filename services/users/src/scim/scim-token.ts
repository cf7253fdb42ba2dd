import { hash, timingSafeEqual } from 'node:crypto'
import { AppError, domainEvents, type endpoints, type internal, type RealmProjection } from '@tms/contracts'
import type { Cause, Handler, InternalHandler, Tx } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { randomText } from '../kernel/credentials/random-text.ts'
import { publish } from '../kernel/publish.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { deleteToken, findToken, saveToken } from './scim-token.queries.ts'

/** Lets programs that look for leaked secrets recognize it. */
const PREFIX = 'scim_'
/** 238 bits of randomness. */
const LENGTH = 40
/** Compared if an organization has no token, so that this takes the same time. */
const NO_HASH = Buffer.alloc(32)

/** Where provisioning systems of an organization call. */
export const scimUrlOf = ({ url }: Pick<RealmProjection, 'url'>): string =>
  `${url.replace(/\/$/, '')}/scim/v2`

export const handleGetScimToken: Handler<typeof endpoints.users.getScimToken, Context> = async ({
  caller: { realmId },
  context,
}) => {
  const scim_url = scimUrlOf(await getRealm(context, realmId))
  const token = await findToken(context.db, realmId)
  if (!token) return { scim_url, scim_token: null }
  const created_at = Math.floor(token.createdAt.getTime() / 1_000)
  return { scim_url, scim_token: { created_at, creator_id: token.creatorId } }
}

export const handleCreateScimToken: Handler<typeof endpoints.users.createScimToken, Context> = ({
  caller: { realmId, userId },
  context,
  requestId,
}) => context.transact((tx) => replaceToken(context, tx, { realmId, requestId }, userId))

export const handleDeleteScimToken: Handler<typeof endpoints.users.deleteScimToken, Context> = async ({
  caller: { realmId },
  context,
  requestId,
}) => {
  await context.transact((tx) => revokeToken(tx, { realmId, requestId }))
  return {}
}

export const handleReplaceScimToken: InternalHandler<typeof internal.users.replaceScimToken, Context> = (
  { realm_id: realmId },
  context,
  requestId,
) => context.transact((tx) => replaceToken(context, tx, { realmId, requestId }, null))

/** Throws AUTHENTICATION_FAILED, or REALM_DEACTIVATED. */
export const handleIdentifyProvisioner: InternalHandler<
  typeof internal.users.identifyProvisioner,
  Context
> = async ({ host, token }, { realms, db }) => {
  const realm = await realms.findByHost(host)
  const stored = realm ? await findToken(db, realm.realm_id) : null
  const isRight = timingSafeEqual(hashToken(token), stored?.tokenHash ?? NO_HASH)
  if (!realm || !stored || !isRight)
    throw new AppError('AUTHENTICATION_FAILED', { message: 'The token is not that of this organization' })
  if (!realm.is_active) throw new AppError('REALM_DEACTIVATED')
  return { realm_id: realm.realm_id }
}

/** Makes the token of an organization, in place of the one before, which ends. */
export async function replaceToken(
  context: Pick<Context, 'realms' | 'now'>,
  tx: Tx,
  cause: Cause,
  creatorId: number | null,
): Promise<{ scim_url: string; scim_token: string }> {
  const { realmId } = cause
  const realm = await getRealm(context, realmId)
  const token = PREFIX + randomText(LENGTH)
  const stored = { realmId, tokenHash: hashToken(token), createdAt: context.now(), creatorId }
  await saveToken(tx, stored)
  await publish(tx, domainEvents.users.provisioningTokenChanged, { op: 'made' }, cause)
  return { scim_url: scimUrlOf(realm), scim_token: token }
}

/** Ends the token of an organization, if there is one. */
export async function revokeToken(tx: Tx, cause: Cause): Promise<void> {
  await deleteToken(tx, cause.realmId)
  await publish(tx, domainEvents.users.provisioningTokenChanged, { op: 'revoked' }, cause)
}

/** A token is too long to guess, so a fast hash suffices. */
const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')
