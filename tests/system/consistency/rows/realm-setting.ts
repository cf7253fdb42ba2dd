import { type EndpointInput, endpoints } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'
import type { ChangeRow, PreparedRow } from '../change-row.ts'
import type { Stage } from '../stage.ts'

const { updateRealm } = endpoints.realm

type RealmSettings = EndpointInput<typeof updateRealm>

/** A row about a setting of the organization, which another row finds as it was. */
export function realmSettingRow({
  name,
  on,
  off,
  prepare,
}: {
  readonly name: string
  readonly on: RealmSettings
  readonly off: RealmSettings
  readonly prepare: (stage: Stage) => Promise<Omit<PreparedRow, 'change'>>
}): ChangeRow {
  return {
    name,
    covers: [updateRealm],
    prepare: async (stage) => ({
      ...(await prepare(stage)),
      // The last turn is 'off', so rows end as they began.
      change: (at, { isOn }) => at(stage.owner).call(updateRealm, isOn ? on : off),
    }),
  }
}

/** The content of a text that a client previews. */
export async function renderedBy(client: ApiClient, content: string): Promise<string> {
  return (await client.call(endpoints.messaging.renderMessage, { content })).rendered
}
