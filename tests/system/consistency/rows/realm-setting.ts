import { type EndpointInput, endpoints } from '@tms/contracts'
import type { ApiClient, ClientEvent } from '@tms/test-kit'
import type { ChangeRow, PreparedRow } from '../change-row.ts'
import type { Stage } from '../stage.ts'

const { updateRealm } = endpoints.realm

type RealmSettings = EndpointInput<typeof updateRealm>

/** A row about a setting of the organization, which another row finds as it was. */
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
  readonly prepare: (stage: Stage) => Promise<Omit<PreparedRow, 'change'>>
}): ChangeRow {
  return {
    name,
    covers: [updateRealm],
    ...(isRunByEvent && { isRunByEvent }),
    prepare: async (stage) => ({
      ...(await prepare(stage)),
      event: {
        watcher: stage.owner,
        type: 'realm',
        isOfTurn: (event, { isOn }) => isAbout(event, isOn ? on : off),
      },
      // The last turn is 'off', so rows end as they began.
      change: (at, { isOn }) => at(stage.owner).call(updateRealm, isOn ? on : off),
    }),
  }
}

/** Whether an event tells of the first of the settings, singly or with others. */
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
