// Written by `npm run gen` (tools/barrels.ts).

export * from '../../messaging/internal/calls.ts'
export * from '../../messaging/internal/digests.ts'
export * from '../../messaging/internal/mail-replies.ts'
export * from '../../messaging/internal/missed-messages.ts'
export * from '../../messaging/internal/push-texts.ts'
