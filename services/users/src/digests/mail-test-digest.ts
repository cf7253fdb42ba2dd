import { badRequest, internal, type RealmProjection } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { type Account, findAccountByAddress } from '../kernel/accounts/account.queries.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { composeDigestOf } from './compose-digest.ts'
import { NEWS_MS } from './digest-slot.rules.ts'
import { digestAddresseeOf, findDigestObstacle } from './renew-digest.ts'

const CALL_TIMEOUT_MS = 30_000

/** Sends the digest of the last week at once, for an operator, also to users who get none otherwise. */
export const handleMailTestDigest: InternalHandler<typeof internal.users.mailTestDigest, Context> = async (
  { realm_id: realmId, email },
  context,
) => {
  const realm = await getRealm(context, realmId)
  const account = await findAccountByAddress(context.prisma, realmId, 'delivery e-mail', foldEmail(email))
  if (!account) throw badRequest(`Nobody has the address ${email} there`)
  const sent = await send(context, account, realm).then(
    (destination) =>
      destination === null
        ? { destination, failure: 'There is nothing to say: no digest is sent.' }
        : { destination, failure: null },
    (err: unknown) => ({ destination: null, failure: err instanceof Error ? err.message : String(err) }),
  )
  const obstacle = findDigestObstacle(account, realm)
  const obstacles = [
    ...(context.mailsDigests ? [] : ['The installation mails no digests (DIGESTS).']),
    ...(obstacle === null ? [] : [obstacle]),
  ]
  return { user_id: account.id, ...sent, obstacles }
}

/** Null if there is nothing to say. */
async function send(context: Context, account: Account, realm: RealmProjection): Promise<string | null> {
  const now = Math.floor(context.now().getTime() / 1_000)
  const since = now - NEWS_MS / 1_000
  // Also of a user who has just written something.
  const users = [{ user_id: account.id, since, away_since: now }]
  const { digests, failures } = await context.call(
    internal.messaging.describeDigests,
    { realm_id: realm.realm_id, users },
    { timeoutMs: CALL_TIMEOUT_MS },
  )
  if (failures[0]) throw new Error(failures[0].reason)
  if (digests[0] === undefined) return null
  const addressee = digestAddresseeOf(context, account, realm)
  return context.deliverMail(composeDigestOf(account, realm, addressee, digests[0]))
}
