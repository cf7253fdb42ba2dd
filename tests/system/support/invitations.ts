import { endpoints } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'

let made = 0

/** An unused address. */
export const newAddress = (): string => `invited-${++made}@example.com`

/** The entry of an address in the list of invitations; undefined if there is none. */
export async function invitationTo(client: ApiClient, email: string) {
  const { invites } = await client.call(endpoints.users.listInvitations, {})
  return invites.find((invite) => !invite.is_multiuse && invite.email === email)
}

/** Invites a new user and returns the invitation's ID. */
export async function invite(
  client: ApiClient,
  email: string,
  more: { invite_as?: number; invite_expires_in_minutes?: number | null; stream_ids?: number[] } = {},
): Promise<number> {
  await client.call(endpoints.users.inviteByEmail, {
    invitee_emails: email,
    stream_ids: [],
    ...(more as object),
  })
  const { invites } = await client.call(endpoints.users.listInvitations, {})
  const sent = invites.filter((one) => !one.is_multiuse && one.email === email)
  return sent.at(-1)?.id ?? 0
}

/** Creates a reusable link and returns its ID and URL. */
export async function newLink(
  client: ApiClient,
  more: { invite_as?: number; stream_ids?: number[] } = {},
): Promise<{ id: number; url: string }> {
  const { invite_link: url } = await client.call(endpoints.users.createInviteLink, { ...(more as object) })
  const { invites } = await client.call(endpoints.users.listInvitations, {})
  const link = invites.find((one) => one.is_multiuse && one.link_url === url)
  return { id: link?.id ?? 0, url }
}
