import { AppError, domainEvents, type RealmProjection } from '@tms/contracts'
import { isEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { findAccountByDeliveryEmail } from '../kernel/credentials/credential.queries.ts'
import { publish } from '../kernel/publish.ts'

interface Refusal {
  readonly method: string
  readonly reason: string
  /** The account that it was about; null if there is none. */
  readonly userId: number | null
  /** The client's IP address. */
  readonly address: string | undefined
  readonly requestId: string
}

type Parts = Pick<Context, 'transact' | 'refusals' | 'now'>

/** Publishes a refused sign-in for the audit log, unless there were too many in the last minute. */
export async function recordRefusal(
  { transact, refusals, now }: Parts,
  { realm_id: realmId }: Pick<RealmProjection, 'realm_id'>,
  { method, reason, userId, address = '', requestId }: Refusal,
): Promise<void> {
  const counts = refusals.add(realmId, userId, address, now())
  if (!counts) return
  const { count, ofOrganization } = counts
  const payload = { user_id: userId, method, reason, count, count_of_organization: ofOrganization }
  await transact((tx) => publish(tx, domainEvents.users.signInRefused, payload, { realmId, requestId }))
}

/** What `signIn` resolves to; if it refuses, that is recorded, by its error, and rethrown. */
export async function orRecordRefusal<T>(
  context: Parts & Pick<Context, 'prisma'>,
  realm: RealmProjection,
  refusal: Omit<Refusal, 'reason' | 'userId'> & { /** In lower case. */ readonly email: string },
  signIn: () => Promise<T>,
): Promise<T> {
  try {
    return await signIn()
  } catch (err) {
    if (err instanceof AppError && err.status < 500) {
      const { email, ...others } = refusal
      const account = isEmail(email)
        ? await findAccountByDeliveryEmail(context.prisma, realm.realm_id, email)
        : null
      await recordRefusal(context, realm, { ...others, reason: err.code, userId: account?.id ?? null })
    }
    throw err
  }
}
