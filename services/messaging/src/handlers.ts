import type { HandlersOf, InternalHandlersOf } from '@tms/service-kit'
import { handleDeleteAttachment } from './attachments/delete-attachment.ts'
import { handleGetFile, handleGetTemporaryFile, handleGetTemporaryUrl } from './attachments/get-file.ts'
import { handleListAttachments } from './attachments/list-attachments.ts'
import { handleUploadFile } from './attachments/upload-file.ts'
import { handleGetChannel } from './channels/get-channel.ts'
import { handleGetChannelId } from './channels/get-channel-id.ts'
import { handleListChannels } from './channels/list-channels.ts'
import { handleListTopics } from './channels/list-topics.ts'
import type { Context } from './context.ts'
import { handleGetReadReceipts } from './flags/get-read-receipts.ts'
import { handleMarkAllAsRead } from './flags/mark-all-as-read.ts'
import { handleMarkChannelAsRead } from './flags/mark-channel-as-read.ts'
import { handleMarkTopicAsRead } from './flags/mark-topic-as-read.ts'
import { handleUpdateFlagsForNarrow } from './flags/update-flags-for-narrow.ts'
import { handleUpdateMessageFlags } from './flags/update-message-flags.ts'
import { handleFindMatchingMessages } from './messages/find-matching-messages.ts'
import { handleGetMessage } from './messages/get-message.ts'
import { handleGetMessages } from './messages/get-messages.ts'
import { handleRenderMessage } from './messages/render-message.ts'
import { handleSendMessage } from './messages/send-message.ts'
import { handleGetMaxMessageId } from './register-state/get-max-message-id.ts'
import { handleRegisterState } from './register-state/get-register-state.ts'
import { handleListSubscriptions } from './subscriptions/list-subscriptions.ts'
import { handleSubscribe } from './subscriptions/subscribe.ts'
import { handleUnsubscribe } from './subscriptions/unsubscribe.ts'
import { handleSetTypingStatus } from './typing/set-typing-status.ts'

/** One handler for each endpoint that messaging owns. */
export const handlers = {
  sendMessage: handleSendMessage,
  getMessages: handleGetMessages,
  getMessage: handleGetMessage,
  findMatchingMessages: handleFindMatchingMessages,
  updateMessageFlags: handleUpdateMessageFlags,
  updateFlagsForNarrow: handleUpdateFlagsForNarrow,
  markAllAsRead: handleMarkAllAsRead,
  markChannelAsRead: handleMarkChannelAsRead,
  markTopicAsRead: handleMarkTopicAsRead,
  getReadReceipts: handleGetReadReceipts,
  renderMessage: handleRenderMessage,
  subscribe: handleSubscribe,
  unsubscribe: handleUnsubscribe,
  listSubscriptions: handleListSubscriptions,
  listChannels: handleListChannels,
  getChannel: handleGetChannel,
  getChannelId: handleGetChannelId,
  listTopics: handleListTopics,
  setTypingStatus: handleSetTypingStatus,
  uploadFile: handleUploadFile,
  getTemporaryUrl: handleGetTemporaryUrl,
  getFile: handleGetFile,
  getTemporaryFile: handleGetTemporaryFile,
  listAttachments: handleListAttachments,
  deleteAttachment: handleDeleteAttachment,
} satisfies HandlersOf<'messaging', Context>

/** One handler for each call that other services make. */
export const internalHandlers = {
  messagingRegisterState: handleRegisterState,
  getMaxMessageId: handleGetMaxMessageId,
} satisfies InternalHandlersOf<'messaging', Context>
