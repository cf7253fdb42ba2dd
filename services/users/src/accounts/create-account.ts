import { domainEvents, EmailVisibility, type Joining, type RealmFacts } from '@tms/contracts'
import { asTx, publisherOf } from '@tms/service-kit'
import type { PrismaTx } from '../context.ts'
import { createApiKey } from '../credentials/api-key.ts'
import { createAccountRow, type Person, updatePerson } from './account.queries.ts'
import { toUserFacts } from './user-facts.ts'
import { toWholeRecord } from './user-record.ts'

const publish = publisherOf('users')

export interface NewAccount {
  readonly realmId: number
  readonly email: string
  readonly fullName: string
  readonly passwordHash: string
  readonly role: number
  readonly dateJoined: Date
  /** Canonical name; none if absent. */
  readonly timezone?: string
  /** One of `EmailVisibility`; everyone if absent. */
  readonly emailAddressVisibility?: number
}

/**
 * Creates a person's account and tells everyone. Null when the address is taken. `joined` is how they came to join the
 * organization, where that is more than its being set up.
 */
export async function createAccount(
  tx: PrismaTx,
  account: NewAccount,
  requestId: string,
  joined: { readonly realm: Pick<RealmFacts, 'url'>; readonly joining: Joining } | null = null,
): Promise<Person | null> {
  const { email, ...rest } = account
  const row = { ...rest, email, deliveryEmail: email, apiKey: createApiKey() }
  const created = await createAccountRow(tx, row)
  if (!created) return null
  const isShown = created.emailAddressVisibility === EmailVisibility.everyone
  const person =
    isShown || !joined
      ? created
      : await updatePerson(tx, created.id, { email: apiEmailOf(created, joined.realm) })

  await publish(
    asTx(tx),
    domainEvents.users.userCreated,
    {
      user: toWholeRecord(person),
      facts: toUserFacts(person),
      ...(joined && { joined: joined.joining }),
    },
    { realmId: person.realmId, requestId },
  )
  return person
}

/** The API e-mail of someone whose address isn't for everyone. */
function apiEmailOf({ id }: Person, { url }: Pick<RealmFacts, 'url'>): string {
  return `user${id}@${new URL(url).hostname}`
}
