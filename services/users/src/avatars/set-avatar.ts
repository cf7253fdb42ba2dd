import { Readable } from 'node:stream'
import { changeAccount } from '../kernel/account-changes/change-account.ts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { addJob, removeJob } from '../kernel/jobs/jobs.ts'
import { blobNamesOf, newAvatarFile } from './avatar-files.ts'
import type { AvatarPicture } from './avatar-picture.ts'

/** A stored avatar. Its files are deleted after an hour unless an account uses it. */
export interface StoredAvatar {
  readonly file: string
}

/** Longer than any request takes. */
const UNUSED_MS = 3_600_000

/** Stores the files of an avatar. */
export async function storeAvatar(
  { db, blobs, now }: Pick<Context, 'db' | 'blobs' | 'now'>,
  realmId: number,
  picture: AvatarPicture,
): Promise<StoredAvatar> {
  const file = newAvatarFile()
  // Scheduled first, so that the files are deleted even if the request fails halfway.
  const runAt = new Date(now().getTime() + UNUSED_MS)
  await addJob(db, 'delete_avatar', { realmId, file }, { runAt, key: keyOf(file) })
  const names = blobNamesOf(realmId, file)
  await blobs.put(names.original, Readable.from([picture.original]), {
    contentType: 'application/octet-stream',
  })
  for (const size of ['medium', 'normal'] as const)
    await blobs.put(names[size], Readable.from([picture[size]]), { contentType: 'image/png' })
  return { file }
}

/** Cancels the deletion of a stored avatar and returns the columns to write in the same transaction. */
export async function keepAvatar(
  tx: PrismaTx,
  { file }: StoredAvatar,
): Promise<{ avatarSource: string; avatarFile: string }> {
  await removeJob(tx, keyOf(file))
  return { avatarSource: 'U', avatarFile: file }
}

/** Assigns a stored avatar to a locked account. The former avatar's files are deleted after the commit. */
export async function setAvatar(
  tx: PrismaTx,
  before: Account,
  stored: StoredAvatar,
  requestId: string | null,
): Promise<Account> {
  return changeAvatar(tx, before, await keepAvatar(tx, stored), requestId)
}

/** Removes the uploaded avatar of a locked account, if any; the gravatar replaces it. */
export async function removeAvatar(
  tx: PrismaTx,
  before: Account,
  requestId: string | null,
): Promise<Account> {
  if (before.avatarFile === null) return before
  return changeAvatar(tx, before, { avatarSource: 'G', avatarFile: null }, requestId)
}

/** Deletes the files of an unused avatar. Idempotent. */
export async function deleteAvatarFiles(
  { blobs }: Pick<Context, 'blobs'>,
  { realmId, file }: { realmId: number; file: string },
): Promise<void> {
  for (const name of Object.values(blobNamesOf(realmId, file))) await blobs.delete(name)
}

async function changeAvatar(
  tx: PrismaTx,
  before: Account,
  avatar: { avatarSource: string; avatarFile: string | null },
  requestId: string | null,
): Promise<Account> {
  const { realmId, avatarFile: former } = before
  const after = await changeAccount(tx, before, { ...avatar, avatarVersion: { increment: 1 } }, requestId)
  if (former !== null) await addJob(tx, 'delete_avatar', { realmId, file: former }, { key: keyOf(former) })
  return after
}

const keyOf = (file: string): string => `avatar ${file}`
