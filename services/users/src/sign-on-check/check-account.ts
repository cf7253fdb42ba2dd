import { AppError, type RealmProjection } from '@tms/contracts'
import { findAdmissionFault } from '../admission/admit-verified-address.ts'
import { wasDeactivatedByDirectory } from '../directory/directory-account.queries.ts'
import { foldEmail, isEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { findAccountByDeliveryEmail } from '../kernel/credentials/credential.queries.ts'
import type { Steps } from './steps.ts'

interface Person {
  readonly email: string
  /** Null if it isn't known yet. */
  readonly fullName: string | null
  readonly isOfDirectory: boolean
}

/** Which account a sign-in leads to: the one that has the address, or a new one, if the organization's rules allow it. */
export async function checkAccount(
  context: Pick<Context, 'prisma' | 'now'>,
  realm: RealmProjection,
  steps: Steps,
  { email, fullName, isOfDirectory }: Person,
): Promise<boolean> {
  const { prisma } = context
  const where = `${realm.name} (${realm.url})`
  if (!realm.is_active) return steps.wrong(`account: ${where} is deactivated`)
  if (!isEmail(email)) return steps.wrong(`account: ‘${email}’ is no e-mail address`)
  const account = await findAccountByDeliveryEmail(prisma, realm.realm_id, foldEmail(email))
  if (!account) {
    const name = fullName ?? email.slice(0, email.lastIndexOf('@'))
    const person = { email, fullName: name, role: null }
    const fault = await asText(() => findAdmissionFault(context, realm, person))
    if (fault !== null) return steps.wrong(`account: ${email} has none in ${where}, and gets none: ${fault}`)
    return steps.ok(`account: ${email} has none in ${where}; the first sign-in makes one`)
  }
  if (account.isBot)
    return steps.wrong(`account: ${email} belongs to the bot ${account.id}, which can’t sign in`)
  if (account.isActive) return steps.ok(`account: ${email} is user ${account.id} in ${where}`)
  if (isOfDirectory && (await wasDeactivatedByDirectory(prisma, account.id)))
    return steps.note(`account: user ${account.id} in ${where} is deactivated; signing in reactivates it`)
  return steps.wrong(`account: user ${account.id} in ${where} is deactivated`)
}

async function asText(rule: () => Promise<string | null>): Promise<string | null> {
  try {
    return await rule()
  } catch (err) {
    if (err instanceof AppError) return err.message
    throw err
  }
}
