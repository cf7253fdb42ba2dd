// Written by `npm run gen` (tools/barrels.ts).

import { handleCancelResumableUpload } from './attachments/cancel-resumable-upload.ts'
import { handleContinueResumableUpload } from './attachments/continue-resumable-upload.ts'
import { handleCreateResumableUpload } from './attachments/create-resumable-upload.ts'
import { handleDeleteAttachment } from './attachments/delete-attachment.ts'
import { handleGetFile, handleGetTemporaryFile, handleGetTemporaryUrl } from './attachments/get-file.ts'
import { handleGetResumableUpload } from './attachments/get-resumable-upload.ts'
import { handleListAttachments } from './attachments/list-attachments.ts'
import { handleUploadFile } from './attachments/upload-file.ts'
import { handleArchiveChannel } from './channels/archive-channel.ts'
import { handleCheckChannels } from './channels/check-channels.ts'
import { handleCheckInvitationChannels } from './channels/check-invitation-channels.ts'
import { handleGetChannel } from './channels/get-channel.ts'
import { handleGetChannelEmailAddress } from './channels/get-channel-email-address.ts'
import { handleGetChannelId } from './channels/get-channel-id.ts'
import { handleListChannelNames } from './channels/list-channel-names.ts'
import { handleListChannels } from './channels/list-channels.ts'
import { handleListGroupUses } from './channels/list-group-uses.ts'
import { handleListSubscribers } from './channels/list-subscribers.ts'
import { handleListTopics } from './channels/list-topics.ts'
import {
  handleCreateDefaultChannelGroup,
  handleRemoveDefaultChannelGroup,
  handleUpdateDefaultChannelGroup,
  handleUpdateDefaultChannelGroupChannels,
} from './channels/refuse-default-channel-groups.ts'
import { handleAddDefaultChannel, handleRemoveDefaultChannel } from './channels/set-default-channel.ts'
import { handleUpdateChannel } from './channels/update-channel.ts'
import { handleDeleteMessage } from './deletions/delete-message.ts'
import { handleDeleteTopic } from './deletions/delete-topic.ts'
import { handleDescribeDigests } from './digests/describe-digests.ts'
import { handleCreateDrafts } from './drafts/create-drafts.ts'
import { handleDeleteDraft } from './drafts/delete-draft.ts'
import { handleListDrafts } from './drafts/list-drafts.ts'
import { handleUpdateDraft } from './drafts/update-draft.ts'
import { handleEditMessage } from './edits/edit-message.ts'
import { handleGetMessageHistory } from './edits/get-message-history.ts'
import { exportHandlers } from './exports/export-handlers.ts'
import { handleGetReadReceipts } from './flags/get-read-receipts.ts'
import { handleMarkAllAsRead } from './flags/mark-all-as-read.ts'
import { handleMarkChannelAsRead } from './flags/mark-channel-as-read.ts'
import { handleMarkTopicAsRead } from './flags/mark-topic-as-read.ts'
import { handleUpdateFlagsForNarrow } from './flags/update-flags-for-narrow.ts'
import { handleUpdateMessageFlags } from './flags/update-message-flags.ts'
import { handleCreateIntegration, handleSetUpIntegration } from './incoming-webhooks/create-integration.ts'
import { handleListWebhookDeliveries } from './incoming-webhooks/list-webhook-deliveries.ts'
import { handleReceiveWebhook } from './incoming-webhooks/receive-webhook.ts'
import { handleRenderWebhookTemplate } from './incoming-webhooks/render-webhook-template.ts'
import { handleRepeatWebhookDelivery } from './incoming-webhooks/repeat-webhook-delivery.ts'
import { handleCheckMailReply, handlePostMailReply } from './mail-replies/post-mail-reply.ts'
import { handleUploadMailAttachment } from './mail-replies/upload-mail-attachment.ts'
import { handleFindMatchingMessages } from './messages/find-matching-messages.ts'
import { handleGetMessage } from './messages/get-message.ts'
import { handleGetMessages } from './messages/get-messages.ts'
import { handleRenderAgain } from './messages/render-again.ts'
import { handleRenderMessage } from './messages/render-message.ts'
import { handleSendMessage } from './messages/send-message.ts'
import { handleCompareMissedMessages } from './missed-messages/compare-missed.ts'
import { handleListPushTexts } from './missed-messages/list-push-texts.ts'
import { handleOnboardUser } from './onboarding/onboard-once.ts'
import { handleGetPointer } from './pointers/get-pointer.ts'
import { handleUpdatePointer } from './pointers/update-pointer.ts'
import { handleDescribeProjections, handleReplayProjections } from './projections/replay-projections.ts'
import { handleAddReaction } from './reactions/add-reaction.ts'
import { handleRemoveReaction } from './reactions/remove-reaction.ts'
import { handleDeleteRealmData } from './realm-deletion/delete-realm-data.ts'
import { handleGetMaxMessageId } from './register-state/get-max-message-id.ts'
import { handleMessagingRegisterState } from './register-state/get-register-state.ts'
import {
  handleFindWebPublicChannel,
  handleMessagingSpectatorState,
} from './register-state/get-spectator-state.ts'
import { handleCreateScheduledMessage } from './scheduled-messages/create-scheduled-message.ts'
import { handleDeleteScheduledMessage } from './scheduled-messages/delete-scheduled-message.ts'
import { handleListScheduledMessages } from './scheduled-messages/list-scheduled-messages.ts'
import { handleUpdateScheduledMessage } from './scheduled-messages/update-scheduled-message.ts'
import { handleAddSubmessage } from './submessages/add-submessage.ts'
import { handleGetSubscriptionStatus } from './subscriptions/get-subscription-status.ts'
import { handleListSubscriptions } from './subscriptions/list-subscriptions.ts'
import { handleSubscribe } from './subscriptions/subscribe.ts'
import { handleUnsubscribe } from './subscriptions/unsubscribe.ts'
import {
  handleUpdateSubscriptionSetting,
  handleUpdateSubscriptionSettings,
} from './subscriptions/update-subscription-settings.ts'
import { handleUpdateSubscriptions } from './subscriptions/update-subscriptions.ts'
import { handleMuteTopic } from './topics/mute-topic.ts'
import { handleUpdateUserTopic } from './topics/update-user-topic.ts'
import { handleSetEditTypingStatus, handleSetMessageEditTyping } from './typing/set-edit-typing-status.ts'
import { handleSetTypingStatus } from './typing/set-typing-status.ts'
import { handleRepeatWebhookCall } from './webhooks/repeat-webhook-call.ts'
import { handleGetSigningSecret, handleRegenerateSigningSecret } from './webhooks/signing-secret.ts'

export const handlers = {
  updateChannel: handleUpdateChannel,
  archiveChannel: handleArchiveChannel,
  addDefaultChannel: handleAddDefaultChannel,
  removeDefaultChannel: handleRemoveDefaultChannel,
  listChannels: handleListChannels,
  getChannel: handleGetChannel,
  getChannelId: handleGetChannelId,
  listSubscribers: handleListSubscribers,
  getSubscriptionStatus: handleGetSubscriptionStatus,
  getChannelEmailAddress: handleGetChannelEmailAddress,
  createDefaultChannelGroup: handleCreateDefaultChannelGroup,
  updateDefaultChannelGroup: handleUpdateDefaultChannelGroup,
  removeDefaultChannelGroup: handleRemoveDefaultChannelGroup,
  updateDefaultChannelGroupChannels: handleUpdateDefaultChannelGroupChannels,
  listDrafts: handleListDrafts,
  createDrafts: handleCreateDrafts,
  updateDraft: handleUpdateDraft,
  deleteDraft: handleDeleteDraft,
  editMessage: handleEditMessage,
  getMessageHistory: handleGetMessageHistory,
  deleteMessage: handleDeleteMessage,
  deleteTopic: handleDeleteTopic,
  updateMessageFlags: handleUpdateMessageFlags,
  updateFlagsForNarrow: handleUpdateFlagsForNarrow,
  markAllAsRead: handleMarkAllAsRead,
  markChannelAsRead: handleMarkChannelAsRead,
  markTopicAsRead: handleMarkTopicAsRead,
  getReadReceipts: handleGetReadReceipts,
  receiveWebhook: handleReceiveWebhook,
  createIntegration: handleCreateIntegration,
  renderWebhookTemplate: handleRenderWebhookTemplate,
  listWebhookDeliveries: handleListWebhookDeliveries,
  repeatWebhookDelivery: handleRepeatWebhookDelivery,
  repeatWebhookCall: handleRepeatWebhookCall,
  sendMessage: handleSendMessage,
  getMessages: handleGetMessages,
  findMatchingMessages: handleFindMatchingMessages,
  getMessage: handleGetMessage,
  renderMessage: handleRenderMessage,
  getPointer: handleGetPointer,
  updatePointer: handleUpdatePointer,
  addReaction: handleAddReaction,
  removeReaction: handleRemoveReaction,
  createScheduledMessage: handleCreateScheduledMessage,
  listScheduledMessages: handleListScheduledMessages,
  updateScheduledMessage: handleUpdateScheduledMessage,
  deleteScheduledMessage: handleDeleteScheduledMessage,
  getSigningSecret: handleGetSigningSecret,
  regenerateSigningSecret: handleRegenerateSigningSecret,
  addSubmessage: handleAddSubmessage,
  subscribe: handleSubscribe,
  unsubscribe: handleUnsubscribe,
  listSubscriptions: handleListSubscriptions,
  updateSubscriptions: handleUpdateSubscriptions,
  updateSubscriptionSetting: handleUpdateSubscriptionSetting,
  updateSubscriptionSettings: handleUpdateSubscriptionSettings,
  listTopics: handleListTopics,
  updateUserTopic: handleUpdateUserTopic,
  muteTopic: handleMuteTopic,
  setTypingStatus: handleSetTypingStatus,
  setEditTypingStatus: handleSetEditTypingStatus,
  setMessageEditTyping: handleSetMessageEditTyping,
  uploadFile: handleUploadFile,
  getTemporaryUrl: handleGetTemporaryUrl,
  getFile: handleGetFile,
  getTemporaryFile: handleGetTemporaryFile,
  listAttachments: handleListAttachments,
  deleteAttachment: handleDeleteAttachment,
  createResumableUpload: handleCreateResumableUpload,
  getResumableUpload: handleGetResumableUpload,
  continueResumableUpload: handleContinueResumableUpload,
  cancelResumableUpload: handleCancelResumableUpload,
}

export const internalHandlers = {
  messagingRegisterState: handleMessagingRegisterState,
  messagingSpectatorState: handleMessagingSpectatorState,
  findWebPublicChannel: handleFindWebPublicChannel,
  listGroupUses: handleListGroupUses,
  checkChannels: handleCheckChannels,
  listChannelNames: handleListChannelNames,
  checkInvitationChannels: handleCheckInvitationChannels,
  onboardUser: handleOnboardUser,
  getMaxMessageId: handleGetMaxMessageId,
  describeProjections: handleDescribeProjections,
  replayProjections: handleReplayProjections,
  renderAgain: handleRenderAgain,
  deleteRealmData: handleDeleteRealmData,
  setUpIntegration: handleSetUpIntegration,
  describeDigests: handleDescribeDigests,
  checkMailReply: handleCheckMailReply,
  postMailReply: handlePostMailReply,
  uploadMailAttachment: handleUploadMailAttachment,
  compareMissedMessages: handleCompareMissedMessages,
  listPushTexts: handleListPushTexts,
  ...exportHandlers,
}
