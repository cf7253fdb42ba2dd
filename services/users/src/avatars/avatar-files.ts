import { randomBytes } from 'node:crypto'
import type { AvatarSize } from '../accounts/avatar.ts'

const FILE_NAME = /^[0-9a-f]{40}(?:-medium)?\.png$/

/** What the files of an avatar are called, without their endings: by chance, so that nobody guesses one. */
export function newAvatarFile(): string {
  return randomBytes(20).toString('hex')
}

/** The file of a size, as it is in an avatar's URL. */
export function avatarFileName(file: string, size: AvatarSize): string {
  return size === 'medium' ? `${file}-medium.png` : `${file}.png`
}

/** Whether a file of an avatar can have this name. The picture as it was sent is nobody's to get: it may say where it was taken. */
export function isAvatarFileName(name: string): boolean {
  return FILE_NAME.test(name)
}

/** Where in the store the avatars of an organization are. */
export function avatarFolderOf(realmId: number): string {
  return `avatars/${realmId}/`
}

/** Where a file of an avatar is in the store. */
export function blobNameOf(realmId: number, fileName: string): string {
  return `${avatarFolderOf(realmId)}${fileName}`
}

/** Everything that the store has of an avatar. */
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
