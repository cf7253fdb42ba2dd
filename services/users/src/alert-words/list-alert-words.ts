import { AppError, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { findPerson } from '../accounts/account.queries.ts'
import type { Context } from '../context.ts'
import { alertWordsOf } from './alert-words.rules.ts'

/** The caller's alert words. */
export const handleListAlertWords: Handler<typeof endpoints.users.listAlertWords, Context> = async ({
  caller,
  context,
}) => {
  const person = await findPerson(context.prisma, caller.realmId, caller.userId)
  if (!person) throw new AppError('UNAUTHORIZED', { message: 'The account does not exist' })
  return { alert_words: alertWordsOf(person) }
}
