// Keys of an invitation's jobs.

export const mailKeyOf = (id: number): string => `invitation ${id}`
export const reminderKeyOf = (id: number): string => `reminder of invitation ${id}`
export const reminderMailKeyOf = (id: number): string => `reminder mail of invitation ${id}`

/** All of them. */
export const jobKeysOf = (id: number): string[] => [mailKeyOf(id), reminderKeyOf(id), reminderMailKeyOf(id)]
