import { Readable } from 'node:stream'
import { asTx } from '@tms/service-kit'
import type { Person } from '../accounts/account.queries.ts'
import { changePerson } from '../accounts/change-person.ts'
import type { Context, PrismaTx } from '../context.ts'
import { addJob, removeJob } from '../jobs/jobs.ts'
import { blobNamesOf, newAvatarFile } from './avatar-files.ts'
import type { AvatarPicture } from './avatar-picture.ts'

/** An avatar whose files are stored, and go again unless it becomes someone's within the hour. */
export interface StoredAvatar {
  readonly file: string
}

/** Longer than any request takes. */
const UNUSED_MS = 3_600_000

/** Stores the files of an avatar for someone of an organization. */
export async function storeAvatar(
  { db, blobs, now }: Pick<Context, 'db' | 'blobs' | 'now'>,
  realmId: number,
  picture: AvatarPicture,
): Promise<StoredAvatar> {
  const file = newAvatarFile()
  // First of all, so that nothing stays behind whatever ends the request.
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

/** Keeps the files of a stored avatar, for the account that gets these values in the same transaction. */
export async function keepAvatar(
  tx: PrismaTx,
  { file }: StoredAvatar,
): Promise<{ avatarSource: string; avatarFile: string }> {
  await removeJob(asTx(tx), keyOf(file))
  return { avatarSource: 'U', avatarFile: file }
}

/** Makes a stored avatar that of a locked account, anyone's; the files of the former go once this is committed. */
export async function setAvatar(
  tx: PrismaTx,
  before: Person,
  stored: StoredAvatar,
  requestId: string | null,
): Promise<Person> {
  return changeAvatar(tx, before, await keepAvatar(tx, stored), requestId)
}

/** Takes a locked account's uploaded avatar away, if it has one; a gravatar takes its place. */
export async function removeAvatar(tx: PrismaTx, before: Person, requestId: string | null): Promise<Person> {
  if (before.avatarFile === null) return before
  return changeAvatar(tx, before, { avatarSource: 'G', avatarFile: null }, requestId)
}

/** Deletes the files of an avatar that nobody has; may be done again. */
export async function deleteAvatarFiles(
  { blobs }: Pick<Context, 'blobs'>,
  { realmId, file }: { realmId: number; file: string },
): Promise<void> {
  for (const name of Object.values(blobNamesOf(realmId, file))) await blobs.delete(name)
}

async function changeAvatar(
  tx: PrismaTx,
  before: Person,
  avatar: { avatarSource: string; avatarFile: string | null },
  requestId: string | null,
): Promise<Person> {
  const { realmId, avatarFile: former } = before
  const after = await changePerson(tx, before, { ...avatar, avatarVersion: { increment: 1 } }, requestId)
  if (former !== null)
    await addJob(asTx(tx), 'delete_avatar', { realmId, file: former }, { key: keyOf(former) })
  return after
}

const keyOf = (file: string): string => `avatar ${file}`
