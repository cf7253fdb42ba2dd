import { badRequest } from '@tms/contracts'
import type { Context } from '../kernel/context.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { lockGroups } from '../kernel/groups/group-lock.queries.ts'
import {
  endExpiredReservations,
  endReservation,
  listReservableGroups,
  type Reservation,
  reserveGroup,
} from './group-reservation.queries.ts'

/**
 * Reserves a group for its deactivation: until that ends, no permission in another service can come to name it. So what these
 * services answer from now on, stays. Throws BAD_REQUEST if another deactivation has begun. Needs the lock of groups.
 */
export async function reserveForDeactivation(tx: PrismaTx, groupId: number): Promise<Reservation> {
  const reservation = await reserveGroup(tx, groupId)
  if (!reservation) throw badRequest('The user group is being deactivated')
  return reservation
}

/**
 * Makes sure, just before a group is deactivated, that no permission was given to it since `reservation`: after that has expired
 * some might be. Throws BAD_REQUEST. Needs the lock of groups.
 */
export async function checkReservation(
  tx: PrismaTx,
  groupId: number,
  reservation: Reservation,
): Promise<void> {
  if (!(await endReservation(tx, groupId, reservation)))
    throw badRequest('The deactivation took too long; try again.')
}

/** Runs a deactivation, and ends its reservation if it fails. */
export async function endingReservation<T>(
  { transact }: Pick<Context, 'transact'>,
  { id, realmId }: { readonly id: number; readonly realmId: number },
  reservation: Reservation,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (err) {
    await transact(async (tx) => {
      await lockGroups(tx, realmId)
      await endReservation(tx, id, reservation)
    })
    throw err
  }
}

/**
 * Which of these IDs are active custom groups of the organization that a permission may name: not those that are being
 * deactivated. An expired reservation is ended first, under the lock of groups, since its owner may still be about to use it.
 */
export async function listGroupsForPermissions(
  { db, transact }: Pick<Context, 'db' | 'transact'>,
  realmId: number,
  ids: readonly number[],
): Promise<number[]> {
  const groups = await listReservableGroups(db, realmId, ids)
  const expired = groups.filter(({ isExpired }) => isExpired).map(({ id }) => id)
  if (expired.length === 0) return groups.filter(({ isReserved }) => !isReserved).map(({ id }) => id)
  await transact(async (tx) => {
    await lockGroups(tx, realmId)
    await endExpiredReservations(tx, expired)
  })
  const again = await listReservableGroups(db, realmId, ids)
  return again.filter(({ isReserved }) => !isReserved).map(({ id }) => id)
}
