import { createHash } from 'node:crypto'
import type { RealmPicture } from '@tms/contracts'
import type { Realm } from '../../generated/prisma/client.ts'

/** The column with the file name of each picture. */
export const fileColumns = {
  icon: 'iconFile',
  logo: 'logoFile',
  night_logo: 'nightLogoFile',
} as const satisfies Record<RealmPicture, keyof Realm>

type Pictured = Pick<Realm, 'id' | 'stringId' | (typeof fileColumns)[RealmPicture]>

const FILE_NAME = /^[0-9a-f]{32}\.png$/

/** A picture's URL and source: `U` uploaded, `G` generated, `D` the client's default, without a URL. */
export function showPicture(
  realm: Pictured,
  picture: RealmPicture,
): { readonly url: string; readonly source: 'U' | 'G' | 'D' } {
  const file = realm[fileColumns[picture]]
  if (file !== null) return { url: `/user_avatars/${realm.id}/realm/${file}`, source: 'U' }
  return picture === 'icon' ? { url: identiconUrlOf(realm), source: 'G' } : { url: '', source: 'D' }
}

/** URL of the organization's icon, relative to its own URL or absolute. */
export function iconUrlOf(realm: Pictured): string {
  return showPicture(realm, 'icon').url
}

/** A picture's name in the blob store. */
export function blobNameOf(realmId: number, file: string): string {
  return `realm/${realmId}/${file}`
}

/** Whether this is a valid name of a picture's file. */
export function isPictureFile(name: string): boolean {
  return FILE_NAME.test(name)
}

function identiconUrlOf({ stringId }: Pick<Realm, 'stringId'>): string {
  const hash = createHash('md5').update(stringId).digest('hex')
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon`
}
