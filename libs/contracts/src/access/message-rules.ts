import { both, oneOf } from './access-rule.ts'
import { accessGrounds, type ChannelConditions } from './channel-rules.ts'

interface MessageConditions {
  readonly isDirect: boolean
  /** Received in the channel, also if the user has left it since; a direct message is received by all who may read it. */
  readonly isReceived: boolean
  /** Not received, but the user has it because they reacted to it, attached something to it or flagged it in the history. */
  readonly isHistorical: boolean
  readonly sharesHistory: boolean
}

/** Who may do what with a message. */
export const messageRules = {
  /** Read it. In a channel, that needs access to the channel and, if its history is protected, to have the message. */
  read: both(
    oneOf<ChannelConditions & MessageConditions>({ isDirect: true }, ...accessGrounds),
    oneOf<MessageConditions>(
      { isReceived: true },
      { isDirect: false, sharesHistory: true },
      { isDirect: false, isHistorical: true },
    ),
  ),
}
