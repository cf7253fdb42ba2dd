/** How the names of archived channels begin, and no others. */
const PREFIX = /^[0-9a-f]{7}!DEACTIVATED:/

/** Whether a name is one that archiving gives. */
export const isArchivedName = (name: string): boolean => PREFIX.test(name)

/** The name that a channel had before it was archived. */
export const formerNameOf = (archivedName: string): string => archivedName.replace(PREFIX, '')
