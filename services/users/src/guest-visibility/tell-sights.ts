import { domainEvents, Role } from '@tms/contracts'
import { publisherOf, type Tx } from '@tms/service-kit'
import { listPeopleBy } from '../accounts/people.queries.ts'
import { readWholeRecords } from '../accounts/whole-record.ts'
import type { VisibilityRow } from './guest-sight.queries.ts'
import { tellingsOf } from './guest-sight.rules.ts'

const publish = publisherOf('users')

interface About {
  readonly realmId: number
  readonly requestId: string | null
  /** Of the people that are locked. */
  readonly roleOf: (userId: number) => number | undefined
}

/** Tells those who are guests now who came into their sight, and who went out of it. The people must be locked. */
export async function publishGuestVisibility(
  tx: Tx,
  changed: { readonly gained: readonly VisibilityRow[]; readonly lost: readonly VisibilityRow[] },
  { realmId, requestId, roleOf }: About,
): Promise<void> {
  const isTold = ({ guestId }: VisibilityRow) => roleOf(guestId) === Role.guest
  for (const telling of tellingsOf(changed.gained.filter(isTold), changed.lost.filter(isTold))) {
    const people = await listPeopleBy(tx, { realmId, ids: [...telling.gainedIds], foldedEmails: [] })
    const gained = await readWholeRecords(tx, realmId, people)
    await publish(
      tx,
      domainEvents.users.guestVisibilityChanged,
      {
        guest_ids: [...telling.guestIds],
        gained: gained.map(({ person, user }) => ({
          user,
          email_address_visibility: person.emailAddressVisibility,
        })),
        lost_user_ids: [...telling.lostIds],
      },
      { realmId, requestId },
    )
  }
}
