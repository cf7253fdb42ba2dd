import { endpoints } from '@tms/contracts'
import { type ApiClient, ApiError } from '@tms/test-kit'

/** The flags of a message for a user. */
export async function flagsFor(client: ApiClient, message_id: number): Promise<readonly string[]> {
  const { message } = await client.call(endpoints.messaging.getMessage, { message_id })
  return (message as { flags?: string[] }).flags ?? []
}

/** A part of the register state. */
export async function stateOf(client: ApiClient, type: string): Promise<Record<string, unknown>> {
  const state = await client.call(endpoints.events.register, { fetch_event_types: [type] })
  return state as Record<string, unknown>
}

/** Whether messaging accepts the client's credentials. */
export async function isAuthenticated(client: ApiClient): Promise<boolean> {
  const answer = await client.send(endpoints.messaging.listDrafts, {})
  if (answer.status !== 200 && answer.status !== 401) throw new ApiError('listDrafts', answer)
  return answer.status === 200
}
