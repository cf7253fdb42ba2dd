import { AppError, badRequest, domainEvents, type endpoints, limits } from '@tms/contracts'
import type { Caller, Handler } from '@tms/service-kit'
import { lockActiveAccount, lockOwnAccount } from '../kernel/accounts/lock-own-account.ts'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import {
  deleteClientDevice,
  deleteClientDevices,
  findClientDevice,
  insertClientDevice,
} from '../kernel/pushes/client-device.queries.ts'
import { publishRemoved } from '../kernel/pushes/publish-client-devices.ts'
import { publishPushDevice } from '../kernel/pushes/publish-push-devices.ts'
import { deleteDeviceOfClient } from '../kernel/pushes/push-device.queries.ts'
import { recordDevices } from '../kernel/pushes/record-devices.ts'
import { limitPushTests } from '../pushes/limit-push-tests.ts'
import { queueSealedTest } from '../pushes/queue-test.ts'

type Users = typeof endpoints.users

/** Adds a client of the caller; the oldest make room for it. */
export const handleRegisterClientDevice: Handler<Users['registerClientDevice'], Context> = ({
  caller,
  context,
  requestId,
}) => {
  checkHasClients(caller)
  return context.transact(async (tx) => {
    const account = await lockActiveAccount(tx, caller)
    const device_id = await insertClientDevice(tx, account.id)
    const removed = await deleteClientDevices(tx, account.id, limits.maxClientDevices)
    await publishRemoved(tx, account, removed, requestId)
    await publish(
      tx,
      domainEvents.users.clientDeviceAdded,
      { user_id: account.id, device_id },
      { realmId: account.realmId, requestId },
    )
    await recordDevices(tx, context, account, requestId)
    return { device_id }
  })
}

/** Removes a client of the caller, with where it is reached. Throws BAD_REQUEST if there is none. */
export const handleRemoveClientDevice: Handler<Users['removeClientDevice'], Context> = async ({
  input: { device_id },
  caller,
  context,
  requestId,
}) => {
  checkHasClients(caller)
  await context.transact(async (tx) => {
    const account = await lockOwnAccount(tx, caller)
    const device = await deleteDeviceOfClient(tx, account.id, device_id)
    if (!(await deleteClientDevice(tx, account.id, device_id))) throw noSuchClientError()
    await publishRemoved(tx, account, [device_id], requestId)
    if (device) await publishPushDevice(tx, 'removed', account, device, requestId)
    await recordDevices(tx, context, account, requestId)
  })
  return {}
}

/**
 * Sends an encrypted test to a client of the caller, or to all. Throws BAD_REQUEST if none can be reached, RATE_LIMIT_HIT,
 * PUSH_SERVICE_NOT_CONFIGURED without keys of the installation or a push relay service.
 */
export const handleTestSealedPush: Handler<Users['testSealedPush'], Context> = async ({
  input: { device_id: id },
  caller,
  context,
}) => {
  checkHasClients(caller)
  if (context.pushes.sealKeys.length === 0 && context.pushes.relay === null)
    throw new AppError('PUSH_SERVICE_NOT_CONFIGURED')
  if (id !== undefined && (await findClientDevice(context.db, caller.userId, id)) === null)
    throw noSuchClientError()
  await limitPushTests(context.db, caller.userId)
  if (!(await queueSealedTest(context, caller, id ?? null)))
    throw badRequest('No device of yours has registered for encrypted notifications')
  return {}
}

/** Also for those of other users, whose IDs are nobody's business. */
export const noSuchClientError = (): AppError => badRequest('You have no such device')

/** Throws BAD_REQUEST for bots. */
export function checkHasClients({ isBot }: Caller): void {
  if (isBot) throw badRequest('Bots have no mobile devices')
}
