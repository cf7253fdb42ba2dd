import { AppError, badRequest, type endpoints } from '@tms/contracts'
import type { Caller, Handler } from '@tms/service-kit'
import { lockActiveAccount, lockOwnAccount } from '../kernel/accounts/lock-own-account.ts'
import type { Context } from '../kernel/context.ts'
import { deletePushDevice, isRegistered, type PushService, savePushDevice } from './push-device.queries.ts'

type Users = typeof endpoints.users

/** Registers an Apple device of the caller. Registering it again makes it the newest and replaces its app. */
export const handleAddApnsDevice: Handler<Users['addApnsDevice'], Context> = ({ input, caller, context }) =>
  add(context, caller, 'apns', input.token, input.appid)

/** Registers an Android device of the caller. Registering it again makes it the newest. */
export const handleAddAndroidDevice: Handler<Users['addAndroidDevice'], Context> = ({
  input,
  caller,
  context,
}) => add(context, caller, 'fcm', input.token)

/** Removes an Apple device of the caller. Throws BAD_REQUEST if it isn't registered. */
export const handleRemoveApnsDevice: Handler<Users['removeApnsDevice'], Context> = ({
  input,
  caller,
  context,
}) => remove(context, caller, 'apns', input.token)

/** Removes an Android device of the caller. Throws BAD_REQUEST if it isn't registered. */
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
    await savePushDevice(tx, id, { service, token, appId })
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
    // The lock hides the moment in which a repeated registration replaces the row.
    const { id } = await lockOwnAccount(tx, caller)
    return deletePushDevice(tx, id, { service, token })
  })
  if (!wasThere) throw badRequest('No device of yours is registered under this token')
  return {}
}

/** Checks whether a device of the caller is registered; sends nothing. Throws INVALID_PUSH_DEVICE_TOKEN. */
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
