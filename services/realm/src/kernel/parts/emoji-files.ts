/** Types of stored emoji pictures, by file extension. */
export const pictureTypes = { png: 'image/png', gif: 'image/gif', webp: 'image/webp' } as const
export type PictureExtension = keyof typeof pictureTypes

const FILE_NAME = /^(?:still\/)?[0-9a-f]{32}\.(png|gif|webp)$/

/** Path of a custom emoji's picture, below the organization's URL. */
export function emojiUrlOf(realmId: number, fileName: string): string {
  return `/user_avatars/${realmId}/emoji/images/${fileName}`
}

/** The file with the still picture of an animated emoji. */
export function stillNameOf(fileName: string): string {
  return `still/${fileName.replace(/\.\w+$/, '')}.png`
}

/** A picture's name in the blob store. */
export function blobNameOf(realmId: number, fileName: string): string {
  return `emoji/${realmId}/${fileName}`
}

/** The type of a picture by its file name; null for an invalid name. */
export function pictureTypeOf(fileName: string): string | null {
  const extension = FILE_NAME.exec(fileName)?.[1] as PictureExtension | undefined
  return extension === undefined ? null : pictureTypes[extension]
}
