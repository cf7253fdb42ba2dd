import { domainEvents, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { changeAndPublish } from '../kernel/realms/change-organization.ts'
import { insertPlayground } from './playground.queries.ts'
import { checkPlayground, checkPlaygroundIsNew } from './playground.rules.ts'
import { playgroundsPayload } from './playgrounds-payload.ts'

/** Adds a code playground after all others (API document, "Add a code playground"). Throws BAD_REQUEST with `errors`. */
export const handleAddPlayground: Handler<typeof endpoints.realm.addPlayground, Context> = async ({
  input,
  caller: { realmId },
  context,
  requestId,
}) => {
  const playground = checkPlayground(input)
  const { playgroundsChanged } = domainEvents.realm
  const id = await changeAndPublish(
    context,
    playgroundsChanged,
    { realmId, requestId },
    {
      change: async (tx, { playgrounds }) => {
        checkPlaygroundIsNew(playground, playgrounds)
        return insertPlayground(tx, { ...playground, realmId })
      },
      payload: playgroundsPayload,
    },
  )
  return { id }
}
