import { endpoints } from '@tms/contracts'
import { onePixel } from '../../support/pictures.ts'
import { sendToChannel } from '../../support/users-and-channels.ts'
import { allowedWhenOn, outcomeOf, type RowGroup, whenOn } from '../change-row.ts'
import { renderedBy } from './realm-setting.ts'

const { addLinkifier, deactivateCustomEmoji, removeLinkifier, reorderLinkifiers } = endpoints.realm
const { updateLinkifier, uploadCustomEmoji } = endpoints.realm
const { addReaction, sendMessage } = endpoints.messaging

/** Elements of texts that an organization defines. */
export const texts: RowGroup = {
  subject: 'linkifiers and emoji',
  rows: [
    {
      name: 'a linkifier is added or removed, then a message rendered',
      covers: [addLinkifier, removeLinkifier],
      isRunByEvent: true,
      prepare: async ({ owner, createUser }) => {
        const member = await createUser()
        const linkifier = { pattern: 'ISSUE-(?P<id>[0-9]+)', url_template: 'https://issues.example/{id}' }
        let filter_id = 0
        return {
          event: {
            watcher: member,
            type: 'realm_linkifiers',
            isOfTurn: ({ realm_linkifiers }, { isOn }) =>
              (realm_linkifiers as unknown[]).length === (isOn ? 1 : 0),
          },
          change: async (at, { isOn }) => {
            if (isOn) filter_id = (await at(owner).call(addLinkifier, linkifier)).id
            else await at(owner).call(removeLinkifier, { filter_id })
          },
          use: async (at) => (await renderedBy(at(member), 'see ISSUE-12')).includes('issues.example/12'),
          expected: whenOn,
        }
      },
    },
    {
      name: 'a linkifier is changed, then a message rendered',
      covers: [updateLinkifier],
      prepare: async ({ owner, createUser }) => {
        const member = await createUser()
        const linkifier = { pattern: 'BUG-(?P<id>[0-9]+)', url_template: 'https://bugs.example/{id}' }
        const { id: filter_id } = await owner.call(addLinkifier, linkifier)
        return {
          change: (at, { index }) => {
            const url_template = `https://bugs${index}.example/{id}`
            return at(owner).call(updateLinkifier, { filter_id, ...linkifier, url_template })
          },
          use: async (at, { index }) =>
            (await renderedBy(at(member), 'see BUG-12')).includes(`bugs${index}.example/12`),
          expected: () => true,
        }
      },
    },
    {
      name: 'linkifiers get another order, then a message is rendered that two of them fit',
      covers: [reorderLinkifiers],
      prepare: async ({ owner, createUser }) => {
        const member = await createUser()
        const add = async (pattern: string, url_template: string) =>
          (await owner.call(addLinkifier, { pattern, url_template })).id
        const ids = [
          await add('BOTH-[0-9]+', 'https://one.example'),
          await add('BOTH-[0-9]*', 'https://two.example'),
        ]
        const { linkifiers } = await owner.call(endpoints.realm.listLinkifiers, {})
        const others = linkifiers.map(({ id }) => id).filter((id) => !ids.includes(id))
        return {
          change: (at, { isOn }) =>
            at(owner).call(reorderLinkifiers, {
              ordered_linkifier_ids: [...(isOn ? ids.toReversed() : ids), ...others],
            }),
          use: async (at) => (await renderedBy(at(member), 'see BOTH-12')).includes('two.example'),
          expected: whenOn,
        }
      },
    },
    {
      name: 'a custom emoji is added or taken away, then a reaction with it',
      covers: [uploadCustomEmoji, deactivateCustomEmoji],
      prepare: async ({ owner, createUser, createChannel, newName }) => {
        const member = await createUser()
        const { name } = await createChannel([member])
        let message_id = 0
        let emoji_name = ''
        return {
          prepareTurn: async () => {
            message_id = await sendToChannel(member, name)
          },
          change: async (at, { isOn }) => {
            if (!isOn) return at(owner).call(deactivateCustomEmoji, { emoji_name })
            emoji_name = newName('own').replace(' ', '-')
            const path = `/api/v1/realm/emoji/${emoji_name}`
            const answer = await at(owner).uploadTo(path, { name: 'x.png', content: onePixel })
            if (answer.status !== 200) throw new Error(`the emoji was refused: ${answer.text}`)
          },
          use: async (at) => outcomeOf(await at(member).send(addReaction, { message_id, emoji_name })),
          expected: allowedWhenOn,
        }
      },
    },
    {
      name: 'a custom emoji is added, then a message with it sent',
      covers: [uploadCustomEmoji],
      prepare: async ({ owner, createUser, createChannel, newName }) => {
        const member = await createUser()
        const { id } = await createChannel([member])
        let emoji_name = ''
        return {
          change: async (at) => {
            emoji_name = newName('new').replace(' ', '-')
            const path = `/api/v1/realm/emoji/${emoji_name}`
            await at(owner).uploadTo(path, { name: 'x.png', content: onePixel })
          },
          use: async (at) => {
            const content = `:${emoji_name}:`
            const { id: message_id } = await at(member).call(sendMessage, {
              ...{ type: 'channel', to: id, topic: 'emoji', content },
            })
            const { message } = await at(member).call(endpoints.messaging.getMessage, { message_id })
            return message.content.includes('<img')
          },
          expected: () => true,
        }
      },
    },
  ],
}
