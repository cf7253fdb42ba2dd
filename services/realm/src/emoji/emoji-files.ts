/** Where clients find the picture of a custom emoji, below the organization's address. */
export function emojiUrlOf(realmId: number, fileName: string): string {
  return `/user_avatars/${realmId}/emoji/images/${fileName}`
}

/** The file with a picture that does not move, of an animated emoji's file. */
export function stillNameOf(fileName: string): string {
  return `still-${fileName.replace(/\.\w+$/, '')}.png`
}

/** Where a picture is in the store of files. */
export function blobNameOf(realmId: number, fileName: string): string {
  return `emoji/${realmId}/${fileName}`
}
