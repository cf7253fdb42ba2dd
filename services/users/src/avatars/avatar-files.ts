import { randomBytes } from 'node:crypto'
import { avatarFileName } from '../kernel/accounts/avatar.ts'

const FILE_NAME = /^[0-9a-f]{40}(?:-medium)?\.png$/

/** The base name of an avatar's files. Random, so that nobody can guess it. */
export function newAvatarFile(): string {
  return randomBytes(20).toString('hex')
}

/**
 * Whether a request may read a file of this name. The original is never served: its metadata may contain a location.
 */
export function isAvatarFileName(name: string): boolean {
  return FILE_NAME.test(name)
}

/** Folder of an organization's avatars in the blob store. */
export function avatarFolderOf(realmId: number): string {
  return `avatars/${realmId}/`
}

/** Blob name of an avatar's file. */
export function blobNameOf(realmId: number, fileName: string): string {
  return `${avatarFolderOf(realmId)}${fileName}`
}

/** All blobs of an avatar. */
export function blobNamesOf(
  realmId: number,
  file: string,
): { original: string; medium: string; normal: string } {
  return {
    original: blobNameOf(realmId, `${file}.original`),
    medium: blobNameOf(realmId, avatarFileName(file, 'medium')),
    normal: blobNameOf(realmId, avatarFileName(file, 'normal')),
  }
}
