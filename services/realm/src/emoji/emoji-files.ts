/** Types of the pictures that emoji are kept as, by the extension of their files. */
export const pictureTypes = { png: 'image/png', gif: 'image/gif', webp: 'image/webp' } as const
export type PictureExtension = keyof typeof pictureTypes

const FILE_NAME = /^(?:still\/)?[0-9a-f]{32}\.(png|gif|webp)$/

/** Where clients find the picture of a custom emoji, below the organization's address. */
export function emojiUrlOf(realmId: number, fileName: string): string {
  return `/user_avatars/${realmId}/emoji/images/${fileName}`
}

/** The file with a picture that does not move, of an animated emoji's file. */
export function stillNameOf(fileName: string): string {
  return `still/${fileName.replace(/\.\w+$/, '')}.png`
}

/** Where a picture is in the store of files. */
export function blobNameOf(realmId: number, fileName: string): string {
  return `emoji/${realmId}/${fileName}`
}

/** The type of a picture by the name of its file; null for a name that none has. */
export function pictureTypeOf(fileName: string): string | null {
  const extension = FILE_NAME.exec(fileName)?.[1] as PictureExtension | undefined
  return extension === undefined ? null : pictureTypes[extension]
}
