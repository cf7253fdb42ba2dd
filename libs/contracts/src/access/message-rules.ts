import { both, oneOf } from './access-rule.ts'
import { accessGrounds, type ChannelConditions } from './channel-rules.ts'

interface MessageConditions {
  readonly isDirect: boolean
  /** Received in the channel, also if the user has left it since; a direct message is received by all who may read it. */
  readonly isReceived: boolean
  /** Not received, but among the user's messages since they found it in the history. */
  readonly isHistorical: boolean
  readonly sharesHistory: boolean
}

/** Who may do what with a message. */
export const messageRules = {
  /** Read it. One first needs access to its channel; a protected history then shows only messages that one has. */
  see: both(
    oneOf<ChannelConditions & MessageConditions>({ isDirect: true }, ...accessGrounds),
    oneOf<MessageConditions>(
      { isReceived: true },
      { isDirect: false, sharesHistory: true },
      { isDirect: false, isHistorical: true },
    ),
  ),
}
