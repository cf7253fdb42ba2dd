// Written by `npm run gen` (tools/barrels.ts).

import { presentAttachmentAdded, presentAttachmentRemoved, presentAttachmentUpdated } from './attachments.ts'
import { presentBotUpdated } from './bot-updated.ts'
import { presentChannelArchived } from './channel-archived.ts'
import { presentChannelCreated } from './channel-created.ts'
import { presentChannelUpdated } from './channel-updated.ts'
import { presentChannelVisibilityChanged } from './channel-visibility-changed.ts'
import {
  presentClientDeviceAdded,
  presentClientDeviceRemoved,
  presentClientDeviceUpdated,
} from './client-devices.ts'
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
import { presentExportConsentChanged, presentSettingsUpdated } from './settings-updated.ts'
import { presentSubmessageAdded } from './submessage-added.ts'
import { presentSubscriberActivityChanged } from './subscriber-activity-changed.ts'
import { presentSubscribersAdded, presentSubscribersRemoved } from './subscribers.ts'
import { presentSubscriptionUpdated } from './subscription-updated.ts'
import { presentEditTypingChanged, presentTypingChanged } from './typing-changed.ts'
import { presentUserCreated } from './user-created.ts'
import {
  presentGroupMemberActivityChanged,
  presentSystemGroupMembersChanged,
  presentUserGroupCreated,
  presentUserGroupDeactivated,
  presentUserGroupMembersChanged,
  presentUserGroupSubgroupsChanged,
  presentUserGroupUpdated,
} from './user-groups.ts'
import { presentUserTopicUpdated } from './user-topic-updated.ts'
import { presentUserTopicsRefreshed } from './user-topics-refreshed.ts'
import { presentUserUpdated } from './user-updated.ts'

export const allPresentations = [
  presentAttachmentAdded,
  presentAttachmentUpdated,
  presentAttachmentRemoved,
  presentBotUpdated,
  presentChannelArchived,
  presentChannelCreated,
  presentChannelUpdated,
  presentChannelVisibilityChanged,
  presentClientDeviceAdded,
  presentClientDeviceUpdated,
  presentClientDeviceRemoved,
  presentDefaultChannelsChanged,
  presentDraftsCreated,
  presentDraftUpdated,
  presentDraftDeleted,
  presentEmailVisibilityChanged,
  presentGuestVisibilityChanged,
  presentMessageFlagsUpdated,
  presentMessageSent,
  presentMessageUpdated,
  presentMessagesDeleted,
  presentAlertWordsUpdated,
  presentOnboardingStepsChanged,
  presentMutedUsersUpdated,
  presentInvitationsChanged,
  presentUserStatusUpdated,
  presentPresenceChanged,
  presentReactionUpdated,
  presentLinkifiersChanged,
  presentProfileFieldsChanged,
  presentCustomEmojiChanged,
  presentPlaygroundsChanged,
  presentEmailDomainChanged,
  presentRealmExportsChanged,
  presentRealmUpdated,
  presentRealmPictureChanged,
  presentRealmDeactivated,
  presentReleaseChanged,
  presentSavedSnippetCreated,
  presentSavedSnippetUpdated,
  presentSavedSnippetDeleted,
  presentScheduledMessageAdded,
  presentScheduledMessageUpdated,
  presentScheduledMessageRemoved,
  presentSettingDefaultsUpdated,
  presentSettingsUpdated,
  presentExportConsentChanged,
  presentSubmessageAdded,
  presentSubscriberActivityChanged,
  presentSubscribersAdded,
  presentSubscribersRemoved,
  presentSubscriptionUpdated,
  presentTypingChanged,
  presentEditTypingChanged,
  presentUserCreated,
  presentUserGroupCreated,
  presentUserGroupUpdated,
  presentUserGroupMembersChanged,
  presentUserGroupSubgroupsChanged,
  presentUserGroupDeactivated,
  presentGroupMemberActivityChanged,
  presentSystemGroupMembersChanged,
  presentUserTopicUpdated,
  presentUserTopicsRefreshed,
  presentUserUpdated,
]
