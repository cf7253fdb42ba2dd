import { AppError, type Joining, type RealmProjection } from '@tms/contracts'
import { admitUser } from '../accounts/admit-user.ts'
import { onboardUser } from '../accounts/onboard-user.ts'
import type { DirectoryContext } from '../directory/directory-context.ts'
import { isInDirectory } from '../directory/stored-password.ts'
import { joinGroups } from '../groups/join-groups.ts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { claimFullName, lockFullNames, NAME_IN_USE } from '../kernel/accounts/full-name.queries.ts'
import { checkFullName } from '../kernel/accounts/full-name.rules.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import { findAddressFault } from '../kernel/addresses/find-address-fault.ts'
import { shareAdministration } from '../kernel/administration/administration-lock.queries.ts'
import { getCredentials } from '../kernel/credentials/credential.queries.ts'
import { hashLinkKey, isLinkKey } from '../kernel/credentials/link-key.ts'
import { lockGroups } from '../kernel/groups/group-lock.queries.ts'
import { lockAdmissions } from '../kernel/invitations/admission-lock.queries.ts'
import { canonicalTimeZone } from '../settings/time-zone.rules.ts'
import { deleteConfirmation, lockConfirmation } from './address-confirmation.queries.ts'
import { findAdmission } from './find-admission.ts'
import type { SignUpForm, SignUpOutcome } from './sign-up-outcome.ts'

const LOG_IN =
  'You have an account in the directory of the organization: log in in your chat app with its user name and password'

/**
 * Creates the account for a mailed key, in the invited role. A key creates one account, also under concurrent use.
 * The address is checked again, because the organization's rules may have changed.
 */
export async function signUp(
  context: Pick<
    DirectoryContext,
    | ('prisma' | 'transact' | 'passwords' | 'checkPasswordStrength' | 'now' | 'call')
    | ('signOn' | 'directories')
  >,
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
  if (await isInDirectory(context, realm, email)) return { kind: 'refused', field: 'email', message: LOG_IN }
  const fullName = catchRefusal(() => checkFullName(form.full_name))
  if (typeof fullName !== 'string') return { ...fullName, field: 'full_name' }
  const passwordRefusal = catchRefusal(() => checkPasswordStrength(form.password, [email, fullName]))
  if (passwordRefusal) return { ...passwordRefusal, field: 'password' }

  const keyHash = hashLinkKey(key)
  const account = {
    email,
    fullName,
    passwordHash: await passwords.hash(form.password),
    dateJoined: context.now(),
    timezone: timeZoneOf(form.timezone),
    ...(form.email_address_visibility && { emailAddressVisibility: form.email_address_visibility }),
  }
  const { outcome, admitted } = await context.transact(async (tx): Promise<SignUpResult> => {
    // Most invitations name no group, and their sign-ups don't wait for each other.
    if (admission.groupIds.length > 0) await lockGroups(tx, realm.realm_id)
    await shareAdministration(tx, realm.realm_id)
    if (realm.require_unique_names) await lockFullNames(tx, realm.realm_id)
    await lockAdmissions(tx, realm.realm_id, foldEmail(email))
    await lockConfirmation(tx, keyHash)
    const current = await findAdmission(tx, realm, key, context.now())
    if (!current) return { outcome: { kind: 'invalid' } }
    if (realm.require_unique_names && !(await claimFullName(tx, realm.realm_id, fullName, null)))
      return { outcome: { kind: 'refused', field: 'full_name', message: NAME_IN_USE } }
    const { invitedAs, joining } = current
    const entry = { account: { ...account, role: invitedAs }, joining }
    const created = await admitUser(tx, realm, entry, requestId)
    if (!created) {
      const message = `The e-mail address ${email} is already in use`
      return { outcome: { kind: 'refused', field: 'email', message } }
    }
    await joinGroups(tx, created, current.groupIds, requestId)
    await deleteConfirmation(tx, keyHash)
    const { apiKey } = await getCredentials(tx, realm.realm_id, created.id)
    const outcome: SignUpOutcome = { kind: 'joined', user_id: created.id, api_key: apiKey }
    return { outcome, admitted: { account: created, joining } }
  })
  if (admitted) await onboardUser(context, admitted.account, admitted.joining, requestId)
  return outcome
}

interface SignUpResult {
  readonly outcome: SignUpOutcome
  readonly admitted?: { readonly account: Account; readonly joining: Joining }
}

/** The rule's result, or its error as a refusal. */
function catchRefusal<T>(rule: () => T): T | { kind: 'refused'; message: string } {
  try {
    return rule()
  } catch (err) {
    if (err instanceof AppError) return { kind: 'refused', message: err.message }
    throw err
  }
}

/** Browsers send it, so an unknown one is ignored. */
function timeZoneOf(name: string | undefined): string {
  const zone = name === undefined ? '' : catchRefusal(() => canonicalTimeZone(name))
  return typeof zone === 'string' ? zone : ''
}
