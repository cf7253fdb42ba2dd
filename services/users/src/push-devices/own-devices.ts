import { AppError, type EndpointOutput, type endpoints } from '@tms/contracts'
import type { Caller, Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { publishUnreachable } from '../kernel/pushes/publish-client-devices.ts'
import { describeDevice } from '../kernel/pushes/publish-push-devices.ts'
import { deleteOwnDevice, listOwnDevices, type OwnPushDevice } from '../kernel/pushes/push-device.queries.ts'
import { removeDevice } from './remove-device.ts'

/** Characters of a token, by which its owner tells devices apart; too few to send to it. */
const SHOWN_OF_TOKEN = 6

type Users = typeof endpoints.users
type ShownDevice = EndpointOutput<Users['listPushDevices']>['push_devices'][number]

/** The devices of the caller. */
export const handleListPushDevices: Handler<Users['listPushDevices'], Context> = async ({
  caller,
  context,
}) => ({ push_devices: (await listOwnDevices(context.db, caller.userId)).map(showDevice) })

/** Removes a device of the caller by its ID. Throws NO_SUCH_OBJECT. */
export const handleRemovePushDevice: Handler<Users['removePushDevice'], Context> = async ({
  input: { device_id: id },
  caller,
  context,
  requestId,
}) => {
  if (!(await removeOwnDevice(context, caller, id, requestId)))
    throw new AppError('NO_SUCH_OBJECT', { message: 'You have no such device' })
  return {}
}

/** Removes a device of a user by its ID; false if there is none. */
export function removeOwnDevice(
  context: Context,
  caller: Caller,
  id: number,
  requestId: string,
): Promise<boolean> {
  return removeDevice(context, caller, requestId, async (tx, account) => {
    const deleted = await deleteOwnDevice(tx, account.id, id)
    if (deleted?.clientId) await publishUnreachable(tx, account, deleted.clientId, requestId)
    return deleted
  })
}

/** A device as its owner sees it. */
export function showDevice(device: OwnPushDevice): ShownDevice {
  const { id, service, token, registeredAt } = device
  return {
    ...{ id, ...describeDevice(device) },
    // Of a token that the push relay service alone knows, there is only an ID.
    token_end: service.startsWith('sealed_relay') ? '' : token.slice(-SHOWN_OF_TOKEN),
    registered_at: Math.floor(registeredAt.getTime() / 1_000),
  }
}
