/** The form in which user names of a provisioning system are compared; null if the address is the name. */
export const foldUserName = (name: string | null): string | null =>
  name === null ? null : name.trim().toLowerCase()
