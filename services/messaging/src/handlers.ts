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
import { handleUpdateMessageFlags } from './flags/update-message-flags.ts'
import { handleGetMessage } from './messages/get-message.ts'
import { handleGetMessages } from './messages/get-messages.ts'
import { handleRenderMessage } from './messages/render-message.ts'
import { handleSendMessage } from './messages/send-message.ts'
import { handleGetMaxMessageId } from './register-state/get-max-message-id.ts'
import { handleRegisterState } from './register-state/get-register-state.ts'
import { handleCreateScheduledMessage } from './scheduled-messages/create-scheduled-message.ts'
import { handleDeleteScheduledMessage } from './scheduled-messages/delete-scheduled-message.ts'
import { handleListScheduledMessages } from './scheduled-messages/list-scheduled-messages.ts'
import { handleUpdateScheduledMessage } from './scheduled-messages/update-scheduled-message.ts'
import { handleListSubscriptions } from './subscriptions/list-subscriptions.ts'
import { handleSubscribe } from './subscriptions/subscribe.ts'
import { handleUnsubscribe } from './subscriptions/unsubscribe.ts'
import { handleSetTypingStatus } from './typing/set-typing-status.ts'

/** One handler for each endpoint that messaging owns. */
export const handlers = {
  sendMessage: handleSendMessage,
  getMessages: handleGetMessages,
  getMessage: handleGetMessage,
  updateMessageFlags: handleUpdateMessageFlags,
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
  createScheduledMessage: handleCreateScheduledMessage,
  listScheduledMessages: handleListScheduledMessages,
  updateScheduledMessage: handleUpdateScheduledMessage,
  deleteScheduledMessage: handleDeleteScheduledMessage,
} satisfies HandlersOf<'messaging', Context>

/** One handler for each call that other services make. */
export const internalHandlers = {
  messagingRegisterState: handleRegisterState,
  getMaxMessageId: handleGetMaxMessageId,
} satisfies InternalHandlersOf<'messaging', Context>
