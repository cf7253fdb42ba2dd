import { endpoints } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'
import { until } from './until.ts'

const {
  createProfileField,
  listProfileFields,
  removeProfileField,
  reorderProfileFields,
  updateProfileField,
} = endpoints.realm
const { listUsers, removeProfileData, updateProfileData } = endpoints.users

const option = (name: string) => [name, { text: name, order: name }] as const
const optionsOf = (...names: string[]) => Object.fromEntries(names.map(option))

/** Fields that are created and deleted, and their values, for `startWorkload`. */
export async function profileWorkload(
  owner: ApiClient,
  observers: readonly ApiClient[],
): Promise<(turn: number) => Promise<unknown>> {
  const field_data = optionsOf('a', 'b', 'c')
  const { id: choice } = await owner.call(createProfileField, { name: 'A choice', field_type: 3, field_data })
  const isChosen = async (key: string): Promise<boolean> => {
    const { members } = await owner.call(listUsers, { include_custom_profile_fields: true })
    return members.some(({ profile_data }) => profile_data?.[choice]?.value === key)
  }
  return async (turn) => {
    const observer = observers[turn % observers.length] as ApiClient
    const { id } = await owner.call(createProfileField, { name: `field ${turn}`, field_type: 1 })
    const data = [
      { id, value: `*${turn}*` },
      { id: choice, value: 'a' },
    ]
    await owner.call(updateProfileField, { field_id: choice, field_data })
    await observer.call(updateProfileData, { data })
    await owner.call(updateProfileData, { data })
    await owner.call(updateProfileField, { field_id: choice, field_data: optionsOf('b', 'c') })
    // Responses wait until values of a removed option are deleted, but only up to a limit, which many changes on a busy machine
    // exceed; after the end none may remain.
    await until(async () => !(await isChosen('a')))
    const { custom_fields } = await owner.call(listProfileFields, {})
    await owner.call(reorderProfileFields, { order: custom_fields.map((field) => field.id).toReversed() })
    await observer.call(removeProfileData, { data: [id] })
    if (turn % 2 === 0) await owner.call(removeProfileField, { field_id: id })
  }
}
