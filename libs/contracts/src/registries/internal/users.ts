// Written by `npm run gen` (tools/barrels.ts).

export * from '../../users/internal/announcements.ts'
export * from '../../users/internal/calls.ts'
export * from '../../users/internal/notifications.ts'
