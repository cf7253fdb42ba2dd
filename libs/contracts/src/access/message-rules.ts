import { both, oneOf } from './access-rule.ts'
import { accessGrounds, type ChannelConditions, isLive, isLiveOrShown } from './channel-rules.ts'

interface MessageConditions {
  readonly isDirect: boolean
  /** Received in the channel, also if the user has left it since; a direct message is received by all who may read it. */
  readonly isReceived: boolean
  /** Not received, but the user has it because they reacted to it, attached something to it or flagged it in the history. */
  readonly isHistorical: boolean
  readonly sharesHistory: boolean
}

/** In a channel, that needs access to the channel and, if its history is protected, to have the message. */
const grounds = both(
  oneOf<ChannelConditions & MessageConditions>({ isDirect: true }, ...accessGrounds),
  oneOf<MessageConditions>(
    { isReceived: true },
    { isDirect: false, sharesHistory: true },
    { isDirect: false, isHistorical: true },
  ),
)

/** Who may do what with a message. */
export const messageRules = {
  /** Read it, and react to it, flag it and so on. */
  read: both(isLive, grounds),
  /** Read it by its ID, also in an archived channel. */
  readArchived: both(isLiveOrShown, grounds),
}
