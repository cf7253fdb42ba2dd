import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import type { ComparedAccount } from './directory-account.queries.ts'
import type { Person } from './person.rules.ts'

/** What a sync does, account by account. */
export interface SyncPlan {
  /** Accounts whose people are in the directory and may sign in. */
  readonly present: readonly { readonly account: ComparedAccount; readonly person: Person }[]
  /** Active accounts of people who have left by the directory's word. */
  readonly disabled: readonly { readonly account: ComparedAccount; readonly person: Person }[]
  /** Active accounts of the directory's people without an entry. */
  readonly missing: readonly ComparedAccount[]
  /** Entries that can't be compared: without an address, and with one that others have too. */
  readonly skipped: number
  /** Active accounts of the directory's people. */
  readonly known: number
}

/** Compares the accounts of an organization with the people of its directory. */
export function planSync(
  accounts: readonly ComparedAccount[],
  people: readonly Person[],
  directory: string,
): SyncPlan {
  const byEmail = new Map<string, Person[]>()
  for (const person of people) {
    if (person.email === null) continue
    const email = foldEmail(person.email)
    byEmail.set(email, [...(byEmail.get(email) ?? []), person])
  }
  const found = accounts.flatMap((account) => {
    const [person, other] = byEmail.get(account.foldedEmail) ?? []
    return person && !other ? [{ account, person }] : []
  })
  const missing = accounts.filter(
    (account) => account.isActive && account.directory === directory && !byEmail.has(account.foldedEmail),
  )
  const active = found.filter(({ account }) => account.isActive)
  const comparable = [...byEmail.values()].filter(({ length }) => length === 1).length
  return {
    present: found.filter(({ person }) => !person.isDisabled),
    disabled: active.filter(({ person }) => person.isDisabled),
    missing,
    skipped: people.length - comparable,
    known: active.length + missing.length,
  }
}

/**
 * Why accounts must not be deactivated without an operator's word, as a text; null if they may. An empty or curtailed
 * answer, and a wrong setting, look like everybody having left.
 */
export function findSyncFault(
  people: readonly Person[],
  { known }: Pick<SyncPlan, 'known'>,
  deactivated: number,
  maxPercent: number,
): string | null {
  if (people.length === 0) return 'The directory has no people'
  if (deactivated <= Math.max(1, Math.floor((known * maxPercent) / 100))) return null
  return `The directory would deactivate ${deactivated} of ${known} accounts, more than ${maxPercent} %`
}
