import { archivedChannelTests } from './api/archived-channels.ts'
import { bulkFlagTests } from './api/bulk-flags.ts'
import { channelPermissionTests } from './api/channel-permissions.ts'
import { channelSettingsTests } from './api/channel-settings.ts'
import { channelTests } from './api/channels.ts'
import { deletingTests } from './api/deleting.ts'
import { documentTests } from './api/documents.ts'
import { draftTests } from './api/drafts.ts'
import { editingTests } from './api/editing.ts'
import { emptyTopicTests } from './api/empty-topics.ts'
import { fetchingTests } from './api/fetching.ts'
import { flagTests } from './api/flags.ts'
import { groupMentionTests } from './api/group-mentions.ts'
import { incomingWebhookTests } from './api/incoming-webhooks.ts'
import { lateChangeTests } from './api/late-changes.ts'
import { messageAudienceTests } from './api/message-audience.ts'
import { movingTests } from './api/moving.ts'
import { narrowTests } from './api/narrows.ts'
import { privateChannelAccessTests } from './api/private-channel-access.ts'
import { racingMoveTests } from './api/racing-moves.ts'
import { reactionTests } from './api/reactions.ts'
import { recalledTopicTests } from './api/recalled-topics.ts'
import { recipientLimitTests } from './api/recipient-limits.ts'
import { renderingTests } from './api/rendering.ts'
import { repeatedSendTests } from './api/repeated-sends.ts'
import { resumableUploadTests } from './api/resumable-uploads.ts'
import { scheduledMessageTests } from './api/scheduled-messages.ts'
import { searchTests } from './api/search.ts'
import { sendingTests } from './api/sending.ts'
import { settingUpIntegrationsTests } from './api/setting-up-integrations.ts'
import { spectatorTests } from './api/spectators.ts'
import { subscriptionSettingsTests } from './api/subscription-settings.ts'
import { topicTests } from './api/topics.ts'
import { typingTests } from './api/typing.ts'
import { uploadTests } from './api/uploads.ts'
import { webhookTests } from './api/webhooks.ts'
import { startApi } from './support/api-tests.ts'

// The tests serve the webhooks, and wait for retries.
const WEBHOOKS = { WEBHOOKS_TO_PRIVATE_ADDRESSES: 'true', WEBHOOK_RETRY_DELAYS: '0.1,0.2' }
const { system, answers, run } = startApi(() => Promise.resolve(WEBHOOKS))
run(channelTests)
run(channelSettingsTests)
run(archivedChannelTests)
run(subscriptionSettingsTests)
run(channelPermissionTests)
run(privateChannelAccessTests)
run(sendingTests)
run(lateChangeTests)
run(recalledTopicTests)
run(renderingTests)
run(groupMentionTests)
run(repeatedSendTests)
run(typingTests)
run(fetchingTests)
run(flagTests)
run(reactionTests)
run(topicTests)
run(emptyTopicTests)
run(draftTests)
run(bulkFlagTests)
run(narrowTests)
run(searchTests)
run(uploadTests)
run(resumableUploadTests)
run(spectatorTests)
run(scheduledMessageTests)
run(editingTests)
run(movingTests)
run(racingMoveTests)
run(deletingTests)
run(messageAudienceTests)
run(recipientLimitTests)
run(webhookTests)
run(incomingWebhookTests)
run(settingUpIntegrationsTests)
documentTests(system, answers, { topic: 'messages', everyOperation: false })
