import { createHash } from 'node:crypto'
import { AppError, maxPictureBytes } from '@tms/contracts'
import { makeAvatarPicture } from '../avatars/avatar-picture.ts'
import { removeAvatar, type StoredAvatar, setAvatar, storeAvatar } from '../avatars/set-avatar.ts'
import { type Account, lockAccount } from '../kernel/accounts/account.queries.ts'
import type { Directory } from './directory.ts'
import { findTakenAvatar, saveTakenAvatar } from './directory-account.queries.ts'
import type { DirectoryContext } from './directory-context.ts'
import type { Person } from './person.rules.ts'

/** The picture in an entry. */
interface Picture {
  readonly version: string | null
  readonly hash: string | null
  readonly bytes: Buffer | null
}

interface Options {
  /** Changes nothing. */
  readonly isDryRun: boolean
  readonly requestId: string | null
}

/**
 * Makes the picture of somebody's directory entry their avatar, and says whether it did, or would. A picture is taken once:
 * what its user uploads afterwards stays until the directory has another. Without a picture the one that was taken is
 * removed. Needs the row of the account's directory. Throws SERVICE_UNAVAILABLE.
 */
export async function updateAvatar(
  context: DirectoryContext,
  directory: Directory,
  account: Account,
  person: Person,
  { isDryRun, requestId }: Options,
): Promise<boolean> {
  if (!directory.readAvatar) return false
  const { db } = context
  const { version } = person
  const taken = await findTakenAvatar(db, account.id)
  if (version !== null && version === taken.version) return false
  const bytes = await directory.readAvatar(person.dn)
  if (bytes === 'unreadable') {
    context.log.warn({ directory: directory.name, dn: person.dn }, 'a picture of a directory cannot be read')
    if (!isDryRun) await saveTakenAvatar(db, account.id, { ...taken, version })
    return false
  }
  const hash = bytes && createHash('sha256').update(bytes).digest('hex')
  const isSame = hash === taken.hash
  if (isDryRun || isSame) {
    if (!isDryRun) await saveTakenAvatar(db, account.id, { ...taken, version })
    return !isSame
  }
  const stored = bytes && (await storePicture(context, account, bytes))
  return replaceAvatar(context, account, { version, hash, bytes }, stored, requestId)
}

/** Null if it is no picture. */
async function storePicture(
  context: DirectoryContext,
  { realmId, id }: Account,
  bytes: Buffer,
): Promise<StoredAvatar | null> {
  try {
    if (bytes.length > maxPictureBytes) throw new AppError('BAD_IMAGE')
    return await storeAvatar(context, realmId, await makeAvatarPicture(bytes))
  } catch (err) {
    if (!(err instanceof AppError) || err.code !== 'BAD_IMAGE') throw err
    context.log.warn({ realm: realmId, user: id }, 'the picture in a directory entry is none')
    return null
  }
}

async function replaceAvatar(
  { transact }: DirectoryContext,
  { realmId, id }: Account,
  { version, hash, bytes }: Picture,
  stored: StoredAvatar | null,
  requestId: string | null,
): Promise<boolean> {
  return transact(async (tx) => {
    const account = await lockAccount(tx, realmId, id)
    if (!account?.isActive) return false
    // Another sign-in or comparison may have taken it meanwhile, and its user uploaded another.
    const taken = await findTakenAvatar(tx, id)
    if (taken.hash === hash) return false
    const isLost = bytes === null && taken.file !== null && account.avatarFile === taken.file
    if (stored) await setAvatar(tx, account, stored, requestId)
    if (isLost) await removeAvatar(tx, account, requestId)
    await saveTakenAvatar(tx, id, { version, hash, file: stored?.file ?? (bytes && taken.file) })
    return stored !== null || isLost
  })
}
