// Written by `npm run gen` (tools/barrels.ts).

export * from '../../users/events/access.ts'
export * from '../../users/events/client-devices.ts'
export * from '../../users/events/groups.ts'
export * from '../../users/events/guest-visibility.ts'
export * from '../../users/events/imports.ts'
export * from '../../users/events/presence.ts'
export * from '../../users/events/push-devices.ts'
export * from '../../users/events/saved-snippets.ts'
export * from '../../users/events/users.ts'
