import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { setOwnVisibility } from './set-own-visibility.ts'

/** Sets the caller's visibility policy for a topic. */
export const handleUpdateUserTopic: Handler<typeof endpoints.messaging.updateUserTopic, Context> = async ({
  input,
  ...request
}) => {
  const { stream_id, topic, visibility_policy: visibility } = input
  await setOwnVisibility(request, { reference: { id: stream_id }, topic, visibility })
  return {}
}
