import { countOtherOwners, listBotsAndOwner } from '../accounts/administration.queries.ts'
import { isLastOwner } from '../accounts/administration.rules.ts'
import { deactivateAccount } from '../accounts/deactivate-account.ts'
import { changeAccount } from '../kernel/account-changes/change-account.ts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { lockAccounts } from '../kernel/accounts/account-list.queries.ts'
import { lockAdministration } from '../kernel/administration/administration-lock.queries.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { lockGroups } from '../kernel/groups/group-lock.queries.ts'
import { refreshNamedUsers } from '../kernel/realms/refresh-named-users.ts'
import { saveDirectoryOf, setDeactivatedByDirectory } from './directory-account.queries.ts'
import type { DirectoryContext } from './directory-context.ts'

type ActivityContext = Pick<DirectoryContext, 'transact' | 'call' | 'log'>

interface Subject {
  readonly realmId: number
  readonly accountId: number
  readonly directory: string
}

/** Deactivates an account by the directory's word. False for the only owner, and for an account that is inactive. */
export async function deactivateByDirectory(
  context: ActivityContext,
  subject: Subject,
  requestId: string | null,
): Promise<boolean> {
  const isDone = await context.transact(async (tx) => {
    const account = await lockWithBots(tx, subject)
    if (!account?.isActive) return false
    if (isLastOwner(account, await countOtherOwners(tx, account.realmId, account.id))) return false
    await deactivateAccount(tx, account, requestId)
    await saveDirectoryOf(tx, account, subject.directory)
    await setDeactivatedByDirectory(tx, account.id, true)
    return true
  })
  if (isDone) await refreshNamedUsers(context, subject.realmId, { log: context.log, requestId })
  return isDone
}

/** Reactivates an account that the directory deactivated, with its former role and key. */
export async function reactivateByDirectory(
  context: ActivityContext,
  subject: Subject,
  requestId: string | null,
): Promise<void> {
  await context.transact(async (tx) => {
    const account = await lockWithBots(tx, subject)
    if (!account) return
    await setDeactivatedByDirectory(tx, account.id, false)
    if (!account.isActive) await changeAccount(tx, account, { isActive: true }, requestId)
  })
  await refreshNamedUsers(context, subject.realmId, { log: context.log, requestId })
}

async function lockWithBots(tx: PrismaTx, { realmId, accountId }: Subject): Promise<Account | undefined> {
  await lockGroups(tx, realmId)
  await lockAdministration(tx, realmId)
  const bots = await listBotsAndOwner(tx, realmId, accountId)
  const locked = await lockAccounts(tx, realmId, [accountId, ...bots])
  return locked.find(({ id }) => id === accountId)
}
