import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { updateOwnAccount } from './update-settings.ts'

const DARK = { color_scheme: 2 } as const
const LIGHT = { color_scheme: 3 } as const
/** Settings by command. */
const commands = new Map<string, { color_scheme?: 2 | 3; fluid_layout_width?: boolean }>([
  ['/ping', {}],
  ['/night', DARK],
  ['/dark', DARK],
  ['/day', LIGHT],
  ['/light', LIGHT],
  ['/fluid-width', { fluid_layout_width: true }],
  ['/fixed-width', { fluid_layout_width: false }],
])

/** Runs a command typed in a client. Throws BAD_REQUEST for an unknown command. */
export const handleRunCommand: Handler<typeof endpoints.users.runCommand, Context> = async ({
  input: { command },
  ...request
}) => {
  if (!command.startsWith('/')) throw badRequest('There should be a leading slash in the command.')
  const input = commands.get(command)
  if (input === undefined) throw badRequest(`No such command: ${command.slice(1)}`)
  if (Object.keys(input).length > 0) await updateOwnAccount({ ...request, input })
  return {}
}
