import type { ChannelReference } from '../kernel/messages/message-target.rules.ts'

/** The channel that an address names: an ID if it is all digits, otherwise a name. */
export const channelReferenceOf = (stream: string): ChannelReference =>
  /^\d{1,15}$/.test(stream) ? { id: Number(stream) } : { name: stream }
