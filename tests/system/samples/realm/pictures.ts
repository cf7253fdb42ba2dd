import { endpoints } from '@tms/contracts'
import { anyPicture } from '../../support/pictures.ts'
import { pictureOf } from '../naming.ts'
import { namesNothing, type SamplesOf } from '../sample.ts'
import type { SampleObjects } from '../sample-objects.ts'

let emoji = 0
const newEmoji = (): { emoji_name: string } => ({ emoji_name: `sample-${++emoji}` })
const addEmoji = async ({ owner }: Pick<SampleObjects, 'owner'>): Promise<{ emoji_name: string }> => {
  const added = newEmoji()
  await owner.uploadTo(`/api/v1/realm/emoji/${added.emoji_name}`, anyPicture)
  return added
}

export const pictureSamples = {
  uploadLogo: {
    valid: { night: 'true' },
    foreign: {},
  },
  deleteLogo: {
    ...namesNothing({ night: 'false' }),
  },
  findLogo: {
    valid: async ({ owner }) => {
      await owner.uploadTo('/api/v1/realm/logo', anyPicture)
      return {}
    },
    foreign: {},
  },
  getRealmPicture: {
    valid: async ({ owner }) => {
      const { body } = await owner.uploadTo('/api/v1/realm/icon', anyPicture)
      return pictureOf(String(body['icon_url']))
    },
    foreign: ({ iconPicture }) => [pictureOf(iconPicture)],
  },
  uploadCustomEmoji: {
    valid: () => newEmoji(),
    foreign: { emoji_name: 'other' },
  },
  deactivateCustomEmoji: {
    valid: addEmoji,
    foreign: ({ emojiName: emoji_name }) => [{ emoji_name }],
  },
  getEmojiPicture: {
    valid: async ({ owner }) => {
      const { emoji_name } = await addEmoji({ owner })
      const { emoji: all } = await owner.call(endpoints.realm.listCustomEmoji, {})
      const { source_url = '' } = Object.values(all).find(({ name }) => name === emoji_name) ?? {}
      return pictureOf(source_url)
    },
    foreign: ({ emojiPicture }) => [pictureOf(emojiPicture)],
  },
} satisfies SamplesOf<'realm'>
