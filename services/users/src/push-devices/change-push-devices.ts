import { AppError, badRequest, type endpoints } from '@tms/contracts'
import { asTx, type Caller, type Handler } from '@tms/service-kit'
import { lockActiveAccount, lockOwnAccount } from '../accounts/lock-own-account.ts'
import type { Context } from '../context.ts'
import { deletePushDevice, isRegistered, type PushService, savePushDevice } from './push-device.queries.ts'

type Users = typeof endpoints.users

/** Registers an Apple device of the caller's; once more makes it the newest, and the app is what is said then. */
export const handleAddApnsDevice: Handler<Users['addApnsDevice'], Context> = ({ input, caller, context }) =>
  add(context, caller, 'apns', input.token, input.appid)

/** Registers an Android device of the caller's; once more makes it the newest. */
export const handleAddAndroidDevice: Handler<Users['addAndroidDevice'], Context> = ({
  input,
  caller,
  context,
}) => add(context, caller, 'fcm', input.token)

/** Forgets an Apple device of the caller's. Throws BAD_REQUEST for one that isn't registered. */
export const handleRemoveApnsDevice: Handler<Users['removeApnsDevice'], Context> = ({
  input,
  caller,
  context,
}) => remove(context, caller, 'apns', input.token)

/** Forgets an Android device of the caller's. Throws BAD_REQUEST for one that isn't registered. */
export const handleRemoveAndroidDevice: Handler<Users['removeAndroidDevice'], Context> = ({
  input,
  caller,
  context,
}) => remove(context, caller, 'fcm', input.token)

async function add(
  { transact }: Context,
  caller: Caller,
  service: PushService,
  token: string,
  appId: string | null = null,
): Promise<Record<string, never>> {
  checkIsPerson(caller)
  await transact(async (tx) => {
    const { id } = await lockActiveAccount(tx, caller)
    await savePushDevice(asTx(tx), id, { service, token, appId })
  })
  return {}
}

async function remove(
  { transact }: Context,
  caller: Caller,
  service: PushService,
  token: string,
): Promise<Record<string, never>> {
  checkIsPerson(caller)
  const wasThere = await transact(async (tx) => {
    // One that is being registered once more is there all the while.
    const { id } = await lockOwnAccount(tx, caller)
    return deletePushDevice(asTx(tx), id, { service, token })
  })
  if (!wasThere) throw badRequest('No device of yours is registered under this token')
  return {}
}

/** Finds out whether a device of the caller's is registered; nothing is sent. Throws INVALID_PUSH_DEVICE_TOKEN. */
export const handleTestPushNotification: Handler<Users['testPushNotification'], Context> = async ({
  input,
  caller,
  context,
}) => {
  checkIsPerson(caller)
  if (input.token !== undefined && !(await isRegistered(context.db, caller.userId, input.token)))
    throw new AppError('INVALID_PUSH_DEVICE_TOKEN')
  return {}
}

function checkIsPerson({ isBot }: Caller): void {
  if (isBot) throw badRequest('Bots have no mobile devices')
}
