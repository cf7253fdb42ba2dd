import { badRequest, type endpoints } from '@tms/contracts'
import { type Caller, type Handler, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { setDefault } from './channel-update.queries.ts'
import { lockChannel } from './lock-channel.ts'
import { publishDefaultChannels } from './publish-default-channels.ts'

/** Adds a default channel. Has no effect on one that is already. */
export const handleAddDefaultChannel: Handler<typeof endpoints.messaging.addDefaultChannel, Context> = async (
  request,
) => {
  await change(request, true)
  return {}
}

/** Removes a default channel. */
export const handleRemoveDefaultChannel: Handler<
  typeof endpoints.messaging.removeDefaultChannel,
  Context
> = async (request) => {
  await change(request, false)
  return {}
}

interface Change {
  readonly input: { readonly stream_id: number }
  readonly caller: Caller
  readonly context: Context
  readonly requestId: string
}

async function change({ input, caller, context, requestId }: Change, isDefault: boolean): Promise<void> {
  await transact(context.db, async (tx) => {
    const channel = await lockChannel(tx, caller, input.stream_id)
    if (isDefault && channel.inviteOnly) throw badRequest('Private channels cannot be default channels.')
    if (channel.isDefault === isDefault) return
    await setDefault(tx, channel.id, isDefault)
    await publishDefaultChannels(tx, context.publish, { realmId: caller.realmId, requestId })
  })
}
