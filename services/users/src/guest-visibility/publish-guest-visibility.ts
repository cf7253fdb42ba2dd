import { domainEvents, Role } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { listAccountsByIdOrEmail } from '../kernel/accounts/account-list.queries.ts'
import { readUnfilteredRecords } from '../kernel/accounts/unfiltered-record.ts'
import { publish } from '../kernel/publish.ts'
import type { VisibilityRow } from './guest-visibility.queries.ts'
import { groupVisibilityUpdates } from './guest-visibility.rules.ts'

interface PublishOptions {
  readonly realmId: number
  readonly requestId: string | null
  /** Roles of the locked users. */
  readonly roleOf: (userId: number) => number | undefined
}

/** Publishes to current guests which users became visible and invisible. The users must be locked. */
export async function publishGuestVisibility(
  tx: Tx,
  changed: { readonly gained: readonly VisibilityRow[]; readonly lost: readonly VisibilityRow[] },
  { realmId, requestId, roleOf }: PublishOptions,
): Promise<void> {
  const isGuest = ({ guestId }: VisibilityRow) => roleOf(guestId) === Role.guest
  for (const update of groupVisibilityUpdates(changed.gained.filter(isGuest), changed.lost.filter(isGuest))) {
    const accounts = await listAccountsByIdOrEmail(tx, {
      realmId,
      ids: [...update.gainedIds],
      foldedEmails: [],
    })
    const gained = await readUnfilteredRecords(tx, realmId, accounts)
    await publish(
      tx,
      domainEvents.users.guestVisibilityChanged,
      {
        guest_ids: [...update.guestIds],
        gained: gained.map(({ account, user }) => ({
          user,
          email_address_visibility: account.emailAddressVisibility,
        })),
        lost_user_ids: [...update.lostIds],
      },
      { realmId, requestId },
    )
  }
}
