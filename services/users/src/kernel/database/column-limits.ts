/** No address is longer, and ID columns have 32 bits, so a lookup beyond these limits can find nothing. */
const MAX_EMAIL_LENGTH = 320
const MAX_ID = 2 ** 31 - 1

export const canBeEmail = (folded: string): boolean =>
  folded.length <= MAX_EMAIL_LENGTH && !folded.includes('\0')
export const canBeId = (id: number): boolean => id > 0 && id <= MAX_ID
