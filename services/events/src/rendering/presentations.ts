import { type Audience, allDomainEvents, type LogEntry } from '@tms/contracts'
import { presentAttachmentAdded, presentAttachmentRemoved, presentAttachmentUpdated } from './attachments.ts'
import { presentBotUpdated } from './bot-updated.ts'
import { presentChannelArchived } from './channel-archived.ts'
import { presentChannelCreated } from './channel-created.ts'
import { presentChannelUpdated } from './channel-updated.ts'
import { presentChannelVisibilityChanged } from './channel-visibility-changed.ts'
import { presentDefaultChannelsChanged } from './default-channels-changed.ts'
import { presentDraftDeleted, presentDraftsCreated, presentDraftUpdated } from './drafts.ts'
import { presentEmailVisibilityChanged } from './email-visibility-changed.ts'
import { presentGuestVisibilityChanged } from './guest-visibility-changed.ts'
import { presentMessageFlagsUpdated } from './message-flags-updated.ts'
import { presentMessageSent } from './message-sent.ts'
import { presentMessageUpdated } from './message-updated.ts'
import { presentMessagesDeleted } from './messages-deleted.ts'
import {
  presentAlertWordsUpdated,
  presentInvitationsChanged,
  presentMutedUsersUpdated,
  presentOnboardingStepsChanged,
} from './personal-lists.ts'
import { presentPresenceChanged, presentUserStatusUpdated } from './presence.ts'
import { fieldsOf, type Presentation } from './presentation.ts'
import { presentReactionUpdated } from './reaction-updated.ts'
import {
  presentCustomEmojiChanged,
  presentEmailDomainChanged,
  presentLinkifiersChanged,
  presentPlaygroundsChanged,
  presentProfileFieldsChanged,
  presentRealmExportsChanged,
} from './realm-lists.ts'
import { presentRealmDeactivated, presentRealmPictureChanged, presentRealmUpdated } from './realm-updated.ts'
import { presentReleaseChanged } from './release-changed.ts'
import {
  presentSavedSnippetCreated,
  presentSavedSnippetDeleted,
  presentSavedSnippetUpdated,
} from './saved-snippets.ts'
import {
  presentScheduledMessageAdded,
  presentScheduledMessageRemoved,
  presentScheduledMessageUpdated,
} from './scheduled-messages.ts'
import { presentSettingDefaultsUpdated } from './setting-defaults-updated.ts'
import { presentSettingsUpdated } from './settings-updated.ts'
import { presentSubmessageAdded } from './submessage-added.ts'
import { presentSubscriberActivityChanged } from './subscriber-activity-changed.ts'
import { presentSubscribersAdded, presentSubscribersRemoved } from './subscribers.ts'
import { presentSubscriptionUpdated } from './subscription-updated.ts'
import { presentTypingChanged } from './typing-changed.ts'
import { presentUserCreated } from './user-created.ts'
import {
  presentSystemGroupMembersChanged,
  presentUserGroupCreated,
  presentUserGroupMembersChanged,
  presentUserGroupRemoved,
  presentUserGroupSubgroupsChanged,
  presentUserGroupUpdated,
} from './user-groups.ts'
import { presentUserTopicUpdated } from './user-topic-updated.ts'
import { presentUserTopicsRefreshed } from './user-topics-refreshed.ts'
import { presentUserUpdated } from './user-updated.ts'

const presentations = new Map<string, Presentation>(
  [
    presentMessageSent,
    presentMessageFlagsUpdated,
    presentMessageUpdated,
    presentMessagesDeleted,
    presentSubscribersAdded,
    presentSubscribersRemoved,
    presentChannelVisibilityChanged,
    presentSubscriberActivityChanged,
    presentChannelCreated,
    presentTypingChanged,
    presentChannelUpdated,
    presentChannelArchived,
    presentDefaultChannelsChanged,
    presentSubscriptionUpdated,
    presentUserCreated,
    presentUserUpdated,
    presentEmailVisibilityChanged,
    presentGuestVisibilityChanged,
    presentBotUpdated,
    presentUserGroupCreated,
    presentUserGroupUpdated,
    presentUserGroupMembersChanged,
    presentUserGroupSubgroupsChanged,
    presentUserGroupRemoved,
    presentSystemGroupMembersChanged,
    presentSettingsUpdated,
    presentSettingDefaultsUpdated,
    presentAlertWordsUpdated,
    presentMutedUsersUpdated,
    presentOnboardingStepsChanged,
    presentSavedSnippetCreated,
    presentSavedSnippetUpdated,
    presentSavedSnippetDeleted,
    presentInvitationsChanged,
    presentUserStatusUpdated,
    presentPresenceChanged,
    presentAttachmentAdded,
    presentAttachmentUpdated,
    presentAttachmentRemoved,
    presentDraftsCreated,
    presentDraftUpdated,
    presentDraftDeleted,
    presentReactionUpdated,
    presentSubmessageAdded,
    presentUserTopicUpdated,
    presentUserTopicsRefreshed,
    presentRealmUpdated,
    presentRealmPictureChanged,
    presentRealmDeactivated,
    presentLinkifiersChanged,
    presentPlaygroundsChanged,
    presentEmailDomainChanged,
    presentCustomEmojiChanged,
    presentProfileFieldsChanged,
    presentRealmExportsChanged,
    presentReleaseChanged,
    presentScheduledMessageAdded,
    presentScheduledMessageUpdated,
    presentScheduledMessageRemoved,
  ].map(({ event, presentation }) => [event.name, presentation]),
)

const declarations = new Map(allDomainEvents.map((event) => [event.name, event]))

/**
 * For events without a client event, and events of a newer release that runs beside this one. Its replicas append those to queues
 * whose polls are answered here: clients ignore a heartbeat but acknowledge it.
 */
const NOTHING: Presentation = { list: () => [], write: () => fieldsOf({ type: 'heartbeat' }) }

export function presentationOf(entry: LogEntry): Presentation {
  return presentations.get(entry.event) ?? NOTHING
}

export function canReachClients({ event }: LogEntry): boolean {
  return presentations.has(event)
}

export function audienceOf(entry: LogEntry): Audience {
  return canReachClients(entry) ? (declarations.get(entry.event)?.audience(entry.payload) ?? []) : []
}

/** The user that an entry is about, if only users who can see that user receive it; else null. */
export function subjectOf(entry: LogEntry): number | null {
  return declarations.get(entry.event)?.subject?.(entry.payload) ?? null
}
