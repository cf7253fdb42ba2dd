import type { Queryable } from '@tms/service-kit'
import type { PrismaTx } from '../database/prisma-tx.ts'

/** Voids all mailed keys for a new password. */
export async function deletePasswordResets(tx: PrismaTx, accountId: number): Promise<void> {
  await tx.passwordReset.deleteMany({ where: { accountId } })
}

/** Voids the open request for another address; it still counts against the limit. */
export async function closeEmailChanges(tx: Queryable, accountId: number): Promise<void> {
  await tx.query('update email_changes set is_open = false where account_id = $1 and is_open', [accountId])
}

/** Gateways refuse the tokens once this is committed and announced. */
export async function deleteApiTokens(tx: Queryable, accountId: number): Promise<void> {
  await tx.query('delete from api_tokens where account_id = $1', [accountId])
}

/** Replies to mails that were sent before reach nobody from then on. */
export async function deleteReplyAddresses(tx: Queryable, accountId: number): Promise<void> {
  await tx.query('delete from reply_addresses where account_id = $1', [accountId])
}

export async function deletePushDevices(tx: Queryable, accountId: number): Promise<void> {
  await tx.query('delete from push_devices where account_id = $1', [accountId])
}
