import { AppError, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { findAccount } from '../kernel/accounts/account.queries.ts'
import { alertWordsOf } from '../kernel/accounts/json-columns.ts'
import type { Context } from '../kernel/context.ts'

export const handleListAlertWords: Handler<typeof endpoints.users.listAlertWords, Context> = async ({
  caller,
  context,
}) => {
  const account = await findAccount(context.prisma, caller.realmId, caller.userId)
  if (!account) throw new AppError('UNAUTHORIZED', { message: 'The account does not exist' })
  return { alert_words: alertWordsOf(account) }
}
