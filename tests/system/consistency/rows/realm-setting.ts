import { type EndpointInput, endpoints } from '@tms/contracts'
import type { ApiClient, ClientEvent } from '@tms/test-kit'
import type { ChangeRow, PreparedRow } from '../change-row.ts'
import type { Environment } from '../environment.ts'

const { updateRealm } = endpoints.realm

type RealmSettings = EndpointInput<typeof updateRealm>

/** A row about an organization setting, which is restored for other rows. */
export function realmSettingRow({
  name,
  on,
  off,
  isRunByEvent = false,
  prepare,
}: {
  readonly name: string
  readonly on: RealmSettings
  readonly off: RealmSettings
  readonly isRunByEvent?: boolean
  readonly prepare: (environment: Environment) => Promise<Omit<PreparedRow, 'change'>>
}): ChangeRow {
  return {
    name,
    covers: [updateRealm],
    ...(isRunByEvent && { isRunByEvent }),
    prepare: async (environment) => ({
      ...(await prepare(environment)),
      event: {
        watcher: environment.owner,
        type: 'realm',
        isOfTurn: (event, { isOn }) => isAbout(event, isOn ? on : off),
      },
      // The last turn is 'off', so rows end in their initial state.
      change: (at, { isOn }) => at(environment.owner).call(updateRealm, isOn ? on : off),
    }),
  }
}

/** Whether an event contains the first of the settings, alone or with others. */
function isAbout({ property, value, data }: ClientEvent, settings: RealmSettings): boolean {
  const [[name, wanted] = []] = Object.entries(settings)
  if (name === undefined) return false
  return property === name
    ? value === wanted
    : (data as Record<string, unknown> | undefined)?.[name] === wanted
}

/** The content of a text that a client previews. */
export async function renderedBy(client: ApiClient, content: string): Promise<string> {
  return (await client.call(endpoints.messaging.renderMessage, { content })).rendered
}
