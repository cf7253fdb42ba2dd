import { requestService } from '../first-organization/request-service.ts'

type Organization = {
  /** Base URL of the gateway. */
  gateway: string
  owner: { email: string; apiKey: string }
}

/**
 * Invites those people of an organization who neither belong to it nor are invited, since it admits nobody else. Throws
 * the gateway's error, or that it doesn't answer.
 */
export async function invitePeople(
  { gateway, owner }: Organization,
  people: readonly { email: string }[],
): Promise<void> {
  const credentials = Buffer.from(`${owner.email}:${owner.apiKey}`).toString('base64')
  const headers = { authorization: `Basic ${credentials}` }
  const ask = (path: string, form?: Record<string, string>) =>
    requestService({
      ...{ serviceName: 'gateway', url: `${gateway}/api/v1${path}`, headers },
      ...(form && { body: { form } }),
    })
  const { members } = await ask('/users')
  const { invites } = await ask('/invites')
  const known = new Set([...addressesIn(members), ...addressesIn(invites)])
  const missing = people.map(({ email }) => email).filter((email) => !known.has(email))
  if (missing.length === 0) return
  await ask('/invites', {
    invitee_emails: missing.join(','),
    stream_ids: '[]',
    include_realm_default_subscriptions: 'true',
    invite_expires_in_minutes: 'null',
    notify_referrer_on_join: 'false',
  })
}

function addressesIn(list: unknown): string[] {
  const entries = list as { email?: string; delivery_email?: string | null }[]
  return entries.flatMap(({ email, delivery_email: delivery }) => [email ?? [], delivery ?? []].flat())
}
