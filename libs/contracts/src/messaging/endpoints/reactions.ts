import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { optionalText, pathId, text } from '../../declarations/parameter.ts'
import { reactionType } from '../../emoji/reaction-type.ts'

const emojiCode = optionalText(z.string(), {
  description: 'Hex code points of Unicode emoji, the ID of a custom emoji, or the name of an extra emoji.',
})
const emojiType = (description: string) => optionalText(reactionType, { description })

export const addReaction = endpoint({
  name: 'addReaction',
  owner: 'messaging',
  method: 'POST',
  path: '/messages/{message_id}/reactions',
  auth: 'user',
  tokenAccess: 'send',
  channelParameters: ['message_id'],
  summary: 'React to a message with an emoji',
  pathParameters: { message_id: pathId },
  parameters: {
    emoji_name: text(z.string(), {
      description:
        'Any name of the emoji. With the code of a Unicode emoji, an unknown name is replaced by its usual name.',
    }),
    emoji_code: emojiCode,
    reaction_type: emojiType('Default: the type of the named emoji.'),
  },
  response: z.object({}),
  errors: ['REACTION_ALREADY_EXISTS'],
})

export const removeReaction = endpoint({
  name: 'removeReaction',
  owner: 'messaging',
  method: 'DELETE',
  path: '/messages/{message_id}/reactions',
  auth: 'user',
  tokenAccess: 'send',
  channelParameters: ['message_id'],
  summary: 'Remove a reaction',
  pathParameters: { message_id: pathId },
  parameters: {
    emoji_name: optionalText(z.string(), { description: 'Required without `emoji_code`.' }),
    emoji_code: emojiCode,
    reaction_type: emojiType('Default `unicode_emoji`.'),
  },
  response: z.object({}),
  errors: ['REACTION_DOES_NOT_EXIST'],
})
