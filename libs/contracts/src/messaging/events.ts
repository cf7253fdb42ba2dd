export * from './events/channels.ts'
export * from './events/flags.ts'
export * from './events/messages.ts'
export * from './events/subscriptions.ts'
