import { AppError, type Joining, type RealmProjection } from '@tms/contracts'
import { getCredentials, type Person } from '../accounts/account.queries.ts'
import { admitPerson } from '../accounts/admit-person.ts'
import { foldEmail } from '../accounts/email-address.rules.ts'
import { findAddressFault } from '../accounts/find-address-fault.ts'
import { isFullNameFree, NAME_IN_USE } from '../accounts/full-name.queries.ts'
import { checkFullName } from '../accounts/full-name.rules.ts'
import { onboardUser } from '../accounts/receive-newcomer.ts'
import type { Context } from '../context.ts'
import { hashLinkKey, isLinkKey } from '../credentials/link-key.ts'
import { canonicalTimeZone } from '../settings/time-zone.rules.ts'
import { deleteConfirmation, lockAdmissions } from './address-confirmation.queries.ts'
import { findAdmission } from './find-admission.ts'
import type { SignUpForm, SignUpOutcome } from './sign-up-outcome.ts'

/**
 * Makes the account that the key of a mail entitles to, in the role invited to. A key makes one account, however many
 * use it at once; the address is judged anew, since what the organization takes may have changed.
 */
export async function signUp(
  context: Pick<Context, 'prisma' | 'transact' | 'passwords' | 'checkPasswordStrength' | 'now' | 'call'>,
  realm: RealmProjection,
  key: string,
  form: SignUpForm,
  requestId: string,
): Promise<SignUpOutcome> {
  const { prisma, passwords, checkPasswordStrength } = context
  if (!realm.is_active || !isLinkKey(key)) return { kind: 'invalid' }
  const admission = await findAdmission(prisma, realm, key, context.now())
  if (!admission) return { kind: 'invalid' }
  const { email } = admission
  const fault = await findAddressFault(prisma, realm, email)
  if (fault !== null) return { kind: 'refused', field: 'email', message: fault }
  const fullName = refusalOf(() => checkFullName(form.full_name))
  if (typeof fullName !== 'string') return { ...fullName, field: 'full_name' }
  const weak = refusalOf(() => checkPasswordStrength(form.password, [email, fullName]))
  if (weak) return { ...weak, field: 'password' }

  const keyHash = hashLinkKey(key)
  const account = {
    email,
    fullName,
    passwordHash: await passwords.hash(form.password),
    dateJoined: context.now(),
    timezone: timeZoneOf(form.timezone),
    ...(form.email_address_visibility && { emailAddressVisibility: form.email_address_visibility }),
  }
  const { outcome, admitted } = await context.transact(async (tx): Promise<Admission> => {
    await lockAdmissions(tx, realm.realm_id, foldEmail(email), keyHash)
    const held = await findAdmission(tx, realm, key, context.now())
    if (!held) return { outcome: { kind: 'invalid' } }
    if (realm.require_unique_names && !(await isFullNameFree(tx, realm.realm_id, fullName, null)))
      return { outcome: { kind: 'refused', field: 'full_name', message: NAME_IN_USE } }
    const { invitedAs, joining } = held
    const entry = { account: { ...account, role: invitedAs }, joining }
    const person = await admitPerson(tx, realm, entry, requestId)
    if (!person) {
      const message = `The e-mail address ${email} is already in use`
      return { outcome: { kind: 'refused', field: 'email', message } }
    }
    await deleteConfirmation(tx, keyHash)
    const { apiKey } = await getCredentials(tx, realm.realm_id, person.id)
    const outcome: SignUpOutcome = { kind: 'joined', user_id: person.id, api_key: apiKey }
    return { outcome, admitted: { person, joining } }
  })
  if (admitted) await onboardUser(context, admitted.person, admitted.joining, requestId)
  return outcome
}

interface Admission {
  readonly outcome: SignUpOutcome
  readonly admitted?: { readonly person: Person; readonly joining: Joining }
}

/** What the rule gives, or why it refuses. */
function refusalOf<T>(rule: () => T): T | { kind: 'refused'; message: string } {
  try {
    return rule()
  } catch (err) {
    if (err instanceof AppError) return { kind: 'refused', message: err.message }
    throw err
  }
}

/** Browsers tell it, not people: one that isn't known is no reason to refuse anyone. */
function timeZoneOf(name: string | undefined): string {
  const zone = name === undefined ? '' : refusalOf(() => canonicalTimeZone(name))
  return typeof zone === 'string' ? zone : ''
}
