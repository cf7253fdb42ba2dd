import { AppError, badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { lockActiveAccount } from '../kernel/accounts/lock-own-account.ts'
import type { Context } from '../kernel/context.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import {
  findClientDevice,
  type PushKey,
  savePushKey,
  saveRegistrationError,
  saveSealedToken,
} from '../kernel/pushes/client-device.queries.ts'
import { publishClientDevice, publishRegistered } from '../kernel/pushes/publish-client-devices.ts'
import { publishPushDevice } from '../kernel/pushes/publish-push-devices.ts'
import { recordDevices } from '../kernel/pushes/record-devices.ts'
import type { SealKeys } from '../kernel/pushes/seal.ts'
import { findPushKey, saveRegistration } from '../push-relay/sealed-registration.queries.ts'
import { checkHasClients, noSuchClientError } from './client-devices.ts'
import { openRegistration, readKeyPart, readTokenPart, type TokenPart } from './sealed-registration.rules.ts'

/**
 * Registers or replaces the key and the token of a client of the caller. Whether the token is accepted, events say: a push
 * relay service may decide it, later. Throws BAD_REQUEST, and PUSH_SERVICE_NOT_CONFIGURED if the installation can't open
 * registrations, or reach such tokens, and has no such service.
 */
export const handleRegisterSealedPush: Handler<typeof endpoints.users.registerSealedPush, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  checkHasClients(caller)
  const { sealKeys, senders, relay } = context.pushes
  const [key, tokenPart] = [readKeyPart(input), readTokenPart(input)]
  if (key === null && tokenPart === null) throw badRequest('Neither a key nor a token is given')
  const canOpen =
    sealKeys.length > 0 && (!tokenPart || senders[`sealed_${tokenPart.tokenKind}`] !== undefined)
  if (relay === null && !canOpen) throw new AppError('PUSH_SERVICE_NOT_CONFIGURED')
  await context.transact(async (tx) => {
    const account = await lockActiveAccount(tx, caller)
    const before = await findClientDevice(tx, account.id, input.device_id)
    if (before === null) throw noSuchClientError()
    if (before.push_token_id === null && (key === null || tokenPart === null))
      throw badRequest('The device has registered nothing yet that could be replaced')
    const client = { id: input.device_id, isNew: before.push_token_id === null, account, requestId }
    if (tokenPart) {
      if (relay !== null) await handToRelay(tx, client, tokenPart, key)
      else await registerToken(tx, client, tokenPart, key, sealKeys, context.now())
    } else if (key) {
      await savePushKey(tx, client.id, key)
      await publishClientDevice(tx, account, client.id, { push_key_id: key.id }, requestId)
    }
    await recordDevices(tx, context, account, requestId)
  })
  context.pushes.relayed.wakeRegistrations()
  return {}
}

interface Client {
  readonly id: number
  /** Whether it had no token before. */
  readonly isNew: boolean
  readonly account: Account
  readonly requestId: string
}

/** Stores what the push relay service is to decide about. */
async function handToRelay(
  tx: PrismaTx,
  { id, account, requestId }: Client,
  { tokenKind, tokenId, publicKey, sealed }: TokenPart,
  newKey: PushKey | null,
): Promise<void> {
  const key = newKey ?? (await findPushKey(tx, id))
  if (key === null) throw badRequest('The device has registered no key yet')
  const registration = { publicKey: publicKey.toString('base64'), sealed: sealed.toString('base64') }
  await saveRegistration(tx, account.id, id, { tokenKind, tokenId, ...registration, key })
  await saveRegistrationError(tx, id, null)
  const pending = { pending_push_token_id: tokenId, push_registration_error_code: null }
  await publishClientDevice(tx, account, id, pending, requestId)
}

async function registerToken(
  tx: PrismaTx,
  { id, isNew, account, requestId }: Client,
  part: TokenPart,
  key: PushKey | null,
  keys: readonly SealKeys[],
  now: Date,
): Promise<void> {
  const pending = { pending_push_token_id: part.tokenId, push_registration_error_code: null }
  await publishClientDevice(tx, account, id, pending, requestId)
  const opened = openRegistration(part, keys, now)
  if (typeof opened === 'string') {
    await saveRegistrationError(tx, id, opened)
    const failed = { pending_push_token_id: null, push_registration_error_code: opened }
    return publishClientDevice(tx, account, id, failed, requestId)
  }
  await saveRegistrationError(tx, id, null)
  const others = await saveSealedToken(tx, account.id, id, opened, key)
  await publishRegistered(tx, account, id, others, requestId)
  if (isNew && others.length === 0) await publishPushDevice(tx, 'added', account, opened, requestId)
}
