import { type Audience, allDomainEvents, type LogEntry } from '@tms/contracts'
import { presentAttachmentAdded, presentAttachmentRemoved, presentAttachmentUpdated } from './attachments.ts'
import { presentChannelCreated } from './channel-created.ts'
import { presentMessageFlagsUpdated } from './message-flags-updated.ts'
import { presentMessageSent } from './message-sent.ts'
import type { Presentation } from './presentation.ts'
import {
  presentScheduledMessageAdded,
  presentScheduledMessageRemoved,
  presentScheduledMessageUpdated,
} from './scheduled-messages.ts'
import { presentSubscribersAdded, presentSubscribersRemoved } from './subscribers.ts'
import { presentTypingChanged } from './typing-changed.ts'
import { presentUserCreated } from './user-created.ts'

const presentations = new Map<string, Presentation>(
  [
    presentMessageSent,
    presentMessageFlagsUpdated,
    presentSubscribersAdded,
    presentSubscribersRemoved,
    presentChannelCreated,
    presentTypingChanged,
    presentUserCreated,
    presentAttachmentAdded,
    presentAttachmentUpdated,
    presentAttachmentRemoved,
    presentScheduledMessageAdded,
    presentScheduledMessageUpdated,
    presentScheduledMessageRemoved,
  ].map(({ event, presentation }) => [event.name, presentation]),
)

const audiences = new Map(allDomainEvents.map((event) => [event.name, event.audience]))

/** For events that reach no client, and those that a newer release publishes before this one is replaced. */
const NOTHING: Presentation = { list: () => [], write: () => '' }

/** How an entry looks to clients. */
export function presentationOf(entry: LogEntry): Presentation {
  return presentations.get(entry.event) ?? NOTHING
}

/** Whose queues an entry concerns. */
export function audienceOf(entry: LogEntry): Audience {
  return presentations.has(entry.event) ? (audiences.get(entry.event)?.(entry.payload) ?? []) : []
}
