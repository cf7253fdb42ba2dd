import { AppError, badRequest, type endpoints } from '@tms/contracts'
import type { Caller, Handler, Queryable } from '@tms/service-kit'
import { lockActiveAccount } from '../kernel/accounts/lock-own-account.ts'
import type { Context } from '../kernel/context.ts'
import { publishPushDevice } from '../kernel/pushes/publish-push-devices.ts'
import type { PushService } from '../kernel/pushes/push.ts'
import {
  deletePushDevice,
  isRegistered,
  isSealed,
  lockBrowser,
  type NewPushDevice,
  savePushDevice,
  takeOverBrowser,
} from '../kernel/pushes/push-device.queries.ts'
import { PushRelayError, type RelayedDevice } from '../kernel/pushes/push-relay.ts'
import { recordDevices, recordDevicesOf } from '../kernel/pushes/record-devices.ts'
import {
  addRelayRemoval,
  cancelRelayRemovals,
  deleteRelayRemoval,
  hastenRelayRemoval,
  RELAY_TOKEN,
} from '../kernel/pushes/relayed-device.queries.ts'
import { toAppError } from '../push-relay/relay-errors.ts'
import { limitPushTests } from '../pushes/limit-push-tests.ts'
import { queueTest, testRelayed } from '../pushes/queue-test.ts'
import { removeDevice } from './remove-device.ts'
import { checkEndpoint, checkKeys } from './web-push-subscription.ts'

type Users = typeof endpoints.users

/** Longer than registering a device at the push relay service and here takes. */
const REGISTRATION_MS = 120_000

/**
 * Registers an Apple device of the caller. Registering it again makes it the newest and replaces its app. Throws
 * BAD_REQUEST if the app's ID is none, or what the push relay service refuses.
 */
export const handleAddApnsDevice: Handler<Users['addApnsDevice'], Context> = ({
  input: { token, appid = null },
  caller,
  context,
  requestId,
}) => {
  if (appid !== null && !/^[\w.-]+$/.test(appid)) throw badRequest('appid is not the ID of an app')
  return addApp(context, caller, requestId, { service: 'apns', token, appId: appid })
}

/** Registers an Android device of the caller. Registering it again makes it the newest. */
export const handleAddAndroidDevice: Handler<Users['addAndroidDevice'], Context> = ({
  input,
  caller,
  context,
  requestId,
}) => addApp(context, caller, requestId, { service: 'fcm', token: input.token, appId: null })

/**
 * Registers a browser or distributor of the caller. Registering it again makes it the newest and replaces its keys.
 * Throws PUSH_SERVICE_NOT_CONFIGURED without keys of the installation.
 */
export const handleAddWebPushSubscription: Handler<Users['addWebPushSubscription'], Context> = ({
  input: { endpoint, p256dh, auth, removals = false },
  caller,
  context,
  requestId,
}) => {
  if (!context.pushes.senders.web_push) throw new AppError('PUSH_SERVICE_NOT_CONFIGURED')
  const token = checkEndpoint(endpoint, context.pushes)
  const keys = checkKeys(p256dh, auth)
  return add(context, caller, requestId, { service: 'web_push', token, keys, getsRemovals: removals })
}

/** Removes an Apple device of the caller. Throws BAD_REQUEST if it isn't registered. */
export const handleRemoveApnsDevice: Handler<Users['removeApnsDevice'], Context> = ({
  input,
  caller,
  context,
  requestId,
}) => remove(context, caller, requestId, 'apns', input.token)

/** Removes an Android device of the caller. Throws BAD_REQUEST if it isn't registered. */
export const handleRemoveAndroidDevice: Handler<Users['removeAndroidDevice'], Context> = ({
  input,
  caller,
  context,
  requestId,
}) => remove(context, caller, requestId, 'fcm', input.token)

/** Removes a browser or distributor of the caller. Throws BAD_REQUEST if it isn't registered. */
export const handleRemoveWebPushSubscription: Handler<Users['removeWebPushSubscription'], Context> = ({
  input,
  caller,
  context,
  requestId,
}) => remove(context, caller, requestId, 'web_push', input.endpoint)

/** Registers a device of an app, at the push relay service too if there is one. */
async function addApp(
  context: Context,
  caller: Caller,
  requestId: string,
  device: RelayedDevice & { readonly appId: string | null },
): Promise<Record<string, never>> {
  checkIsPerson(caller)
  const { relay } = context.pushes
  // The service sends to all that it knows of a user: one that is registered for encrypted notifications, once more in clear.
  if (relay === null || (await isSealed(context.db, caller.userId, device)))
    return add(context, caller, requestId, device)
  // If this isn't completed, also because the replica dies, the service mustn't go on to send to the device.
  const removalId = await addRelayRemoval(context.db, caller.userId, device, REGISTRATION_MS)
  const removeNow = async () => {
    await hastenRelayRemoval(context.db, removalId)
    context.pushes.relayed.wake()
  }
  try {
    // Before the transaction: it may take a while, and registering there again does no harm.
    await relay.register(caller, device)
  } catch (err) {
    const isUnclear = !(err instanceof PushRelayError) || err.isUnclear
    await (isUnclear ? removeNow() : deleteRelayRemoval(context.db, removalId))
    if (err instanceof PushRelayError && err.code === 'MISSING_REMOTE_REALM') context.pushes.relayed.report()
    throw toAppError(err)
  }
  try {
    await add(context, caller, requestId, { ...device, isRelayed: true }, (tx, accountId, isSaved) =>
      isSaved ? completeRegistration(tx, accountId, device, removalId) : hastenRelayRemoval(tx, removalId),
    )
  } catch (err) {
    await removeNow()
    throw err
  }
  context.pushes.relayed.wake()
  return {}
}

/** Cancels removals of a relayed device that was saved, and has the account's relayed devices sent to. */
async function completeRegistration(
  tx: Queryable,
  accountId: number,
  device: RelayedDevice,
  removalId: string,
): Promise<void> {
  // One that had begun may have reached the service after the registration. Another one finds the device registered
  // here, and registers it there.
  if (await cancelRelayRemovals(tx, accountId, device, removalId))
    await addRelayRemoval(tx, accountId, device, 0)
  await savePushDevice(tx, accountId, { service: 'relay', token: RELAY_TOKEN })
}

/** Adds a device, with what `complete` does in the same transaction if it is saved, or gets encrypted notifications. */
async function add(
  context: Context,
  caller: Caller,
  requestId: string,
  device: NewPushDevice,
  complete: (tx: Queryable, accountId: number, isSaved: boolean) => Promise<void> = async () => {},
): Promise<Record<string, never>> {
  checkIsPerson(caller)
  const former = await context.transact(async (tx) => {
    if (device.service === 'web_push') await lockBrowser(tx, device)
    const account = await lockActiveAccount(tx, caller)
    const saved = await savePushDevice(tx, account.id, device)
    await complete(tx, account.id, saved !== 'sealed')
    const { service, token, appId = null } = device
    if (saved === 'added') await publishPushDevice(tx, 'added', account, { service, token, appId }, requestId)
    await recordDevices(tx, context, account, requestId)
    return device.service === 'web_push' ? takeOverBrowser(tx, account.id, device) : []
  })
  for (const { realmId, userId } of former) await recordDevicesOf(context, realmId, userId)
  return {}
}

async function remove(
  context: Context,
  caller: Caller,
  requestId: string,
  service: PushService,
  token: string,
): Promise<Record<string, never>> {
  checkIsPerson(caller)
  const wasThere = await removeDevice(context, caller, requestId, (tx, { id }) =>
    deletePushDevice(tx, id, { service, token }),
  )
  if (!wasThere) throw badRequest('No device of yours is registered under this token')
  return {}
}

/**
 * Sends a test to a device of the caller, or all that can be reached. Throws INVALID_PUSH_DEVICE_TOKEN, RATE_LIMIT_HIT, or
 * what the push relay service answers.
 */
export const handleTestPushNotification: Handler<Users['testPushNotification'], Context> = async ({
  input,
  caller,
  context,
}) => {
  checkIsPerson(caller)
  if (input.token !== undefined && !(await isRegistered(context.db, caller.userId, input.token)))
    throw new AppError('INVALID_PUSH_DEVICE_TOKEN')
  await limitPushTests(context.db, caller.userId)
  await queueTest(context, caller, input.token ?? null)
  await testRelayed(context, caller, input.token ?? null)
  return {}
}

function checkIsPerson({ isBot }: Caller): void {
  if (isBot) throw badRequest('Bots have no mobile devices')
}
