import { badRequest, domainEvents, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { changeAndPublish } from '../kernel/realms/change-organization.ts'
import { deletePlayground } from './playground.queries.ts'
import { playgroundsPayload } from './playgrounds-payload.ts'

/** Removes a code playground. Throws BAD_REQUEST. */
export const handleRemovePlayground: Handler<typeof endpoints.realm.removePlayground, Context> = async ({
  input: { playground_id },
  caller: { realmId },
  context,
  requestId,
}) => {
  const { playgroundsChanged } = domainEvents.realm
  await changeAndPublish(
    context,
    playgroundsChanged,
    { realmId, requestId },
    {
      change: async (tx, { playgrounds }) => {
        if (!playgrounds.some(({ id }) => id === playground_id)) throw badRequest('Playground not found')
        await deletePlayground(tx, playground_id)
      },
      payload: playgroundsPayload,
    },
  )
  return {}
}
