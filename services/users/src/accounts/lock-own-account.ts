import { AppError } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import type { PrismaTx } from '../context.ts'
import { lockPerson, type Person } from './account.queries.ts'

/** The caller's account, which no other request changes until the transaction ends. */
export async function lockOwnAccount(tx: PrismaTx, caller: Caller): Promise<Person> {
  const person = await lockPerson(tx, caller.realmId, caller.userId)
  if (!person) throw new AppError('UNAUTHORIZED', { message: 'The account does not exist' })
  return person
}

/** The same; throws UNAUTHORIZED if it was deactivated since the request was let in. */
export async function lockActiveAccount(tx: PrismaTx, caller: Caller): Promise<Person> {
  const person = await lockOwnAccount(tx, caller)
  if (!person.isActive) throw new AppError('UNAUTHORIZED', { message: 'The account is deactivated' })
  return person
}
