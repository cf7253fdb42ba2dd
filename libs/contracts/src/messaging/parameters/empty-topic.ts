import { z } from 'zod'
import { optionalJson } from '../../declarations/parameter.ts'
import { EMPTY_TOPIC_NAME } from '../empty-topic.ts'

export const allowEmptyTopicName = optionalJson(z.boolean(), {
  description: 'The empty topic is returned as the empty string, rather than by its name. Default false.',
})

const EMPTY = `It may be empty; \`${EMPTY_TOPIC_NAME}\` means the same.`

/** The topic of a message to send, for its description. */
export const channelTopic = `Required for channels. ${EMPTY}`

/** A topic that is named anywhere else, for its description. */
export const anyTopic = EMPTY
