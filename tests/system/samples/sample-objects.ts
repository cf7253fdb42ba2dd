import { endpoints } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { newBotOf } from '../support/bots.ts'
import { newGroup } from '../support/groups.ts'
import { newChannel, newUsers, sendToChannel } from '../support/users-and-channels.ts'
import type { Fields } from './sample.ts'

interface SampleChannel {
  readonly id: number
  readonly name: string
}

/** Objects that several samples name. What is used up by a request is made by its sample. */
export interface SampleObjects {
  readonly owner: ApiClient
  readonly ownerPassword: string
  /** The owner's name before any sample. */
  readonly ownerName: string
  readonly member: ApiClient
  readonly bot: ApiClient
  readonly createUser: () => Promise<ApiClient>
  /** Has the message. */
  readonly channel: SampleChannel
  readonly messageId: string
  /** Nothing else depends on its name, description and subscribers. */
  readonly changedChannel: SampleChannel
  /** Input that names a group. */
  readonly group: Fields
}

export async function createSampleObjects(system: TestSystem): Promise<SampleObjects> {
  const { owner, ownerPassword } = system
  const [member] = await newUsers(system, 1)
  if (!member) throw new Error('no user was created')
  const channel = await newChannel(owner)
  const { full_name: ownerName } = await owner.call(endpoints.users.getOwnUser, {})
  return {
    ...{ owner, ownerPassword, ownerName, member, channel },
    createUser: () => system.createUser(),
    messageId: String(await sendToChannel(owner, channel.name)),
    changedChannel: await newChannel(owner),
    group: { user_group_id: String((await newGroup(owner)).id) },
    bot: await newBotOf(owner),
  }
}
