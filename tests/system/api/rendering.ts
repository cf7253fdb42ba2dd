import { endpoints, Role } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal } from '../support/answers.ts'
import { uploadTo } from '../support/files.ts'
import { newOrganization } from '../support/other-organization.ts'
import { onePixel, rotatedPicture, twoFrames } from '../support/pictures.ts'
import {
  newChannel,
  newUserOfRole,
  newUsers,
  secondsFromNow,
  sendDirectly,
  sendToChannel,
} from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, watch } from '../support/watch.ts'

const { createScheduledMessage, editMessage, getMessage, getMessages, listScheduledMessages, renderMessage } =
  endpoints.messaging
const { subscribe } = endpoints.messaging

export const renderingTests = (system: () => TestSystem): void => {
  describe('rendering', () => {
    let ann: ApiClient
    let ben: ApiClient
    let channel: { name: string; id: number }
    beforeAll(async () => {
      ;[ann, ben] = await newUsers(system(), 2)
      channel = await newChannel(ann, { others: [ben] })
    })
    const render = async (content: string) => (await ann.call(renderMessage, { content })).rendered

    test('shows the same message to everyone as the preview to its sender', async () => {
      const content = ':octopus: $$x^2$$ https://example.com/cat.png\n```py\npass\n```'
      const id = await sendToChannel(ann, channel.name, content)

      const { message } = await ben.call(getMessage, { message_id: id })

      expect(message.content).toBe(await render(content))
      expect(message.content).toContain('<span class="katex">')
      expect(message.content).toContain('class="emoji emoji-1f419"')
      expect(message.content).toContain('data-code-language="Python"')
      expect(message.content).toContain(
        '<div class="message_inline_image"><a href="https://example.com/cat.png"',
      )
    })

    test('renders a long text like a short one', async () => {
      const paragraph = 'so $$x^2$$ :octopus: **b**\n\n'
      const short = await render(paragraph)

      expect(await render(paragraph.repeat(80))).toBe(Array.from({ length: 80 }, () => short).join('\n'))
    })

    test('rejects a text whose rendering would be far longer', async () => {
      const content = `\`\`\`math\n\\begin{matrix}${'a&'.repeat(4_900)}\\end{matrix}\n\`\`\``

      expect(await ann.request('POST', '/messages/render', [['content', content]])).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })

    test.each([
      ['~~~ hi ~~~', '<p>~~~ hi ~~~</p>'],
      ['http://leo@foo.com/x', '<p><a href="http://leo@foo.com/x">http://leo@foo.com/x</a></p>'],
      ['http://foo.com/x: y', '<p><a href="http://foo.com/x">http://foo.com/x</a>: y</p>'],
    ])('keeps all of %j', async (content, expected) => {
      expect(await render(content)).toBe(expected)
    })

    describe('a link', () => {
      const hrefOf = async (author: ApiClient, content: string) => {
        const { rendered } = await author.call(renderMessage, { content })
        return /href="([^"]*)"/.exec(rendered)?.[1]
      }
      const urlOf = ({ name, id }: { name: string; id: number }) =>
        `/#narrow/channel/${id}-${name.replace(' ', '-')}`

      test('to a message names it and its topic', async () => {
        expect(await render(`#**${channel.name}>a topic@70**`)).toBe(
          `<p><a class="message-link" href="${urlOf(channel)}/topic/a.20topic/near/70">#${channel.name} &gt; a topic @ 💬</a></p>`,
        )
        expect(await hrefOf(ann, `#**${channel.name}>@70**`)).toBe(`${urlOf(channel)}/topic//near/70`)
      })

      test('to a topic leads by its oldest message that the author may read', async () => {
        const open = await newChannel(ann)
        const closed = await newChannel(ann, { isPrivate: true, hasSharedHistory: false })
        const first = await sendToChannel(ann, open.name, 'x', 'Lunch')
        await sendToChannel(ann, open.name, 'x', 'lunch')
        const unseen = await sendToChannel(ann, closed.name, 'x', 'lunch')
        await ann.call(subscribe, { subscriptions: [{ name: closed.name }], principals: [ben.userId] })
        const seen = await sendToChannel(ann, closed.name, 'x', 'lunch')

        expect(await hrefOf(ben, `#**${open.name}>lunch**`)).toBe(`${urlOf(open)}/topic/lunch/with/${first}`)
        expect(await hrefOf(ann, `#**${closed.name}>lunch**`)).toBe(
          `${urlOf(closed)}/topic/lunch/with/${unseen}`,
        )
        expect(await hrefOf(ben, `#**${closed.name}>lunch**`)).toBe(
          `${urlOf(closed)}/topic/lunch/with/${seen}`,
        )
        expect(await hrefOf(ann, `#**${open.name}>tea**`)).toBe(`${urlOf(open)}/topic/tea`)
        const admin = await newUserOfRole(system(), Role.administrator)
        expect(await hrefOf(admin, `#**${closed.name}>lunch**`)).toBe(`${urlOf(closed)}/topic/lunch`)
      })

      test('to the empty topic shows its name, in notices of moves too', async () => {
        const open = await newChannel(ann)
        const message_id = await sendToChannel(ann, open.name, 'x', '')
        const link = (url: string) =>
          `<a class="stream-topic" data-stream-id="${open.id}" href="${url}">#${open.name} &gt; <em>general chat</em></a>`

        expect(await render(`#**${open.name}>**`)).toBe(
          `<p>${link(`${urlOf(open)}/topic//with/${message_id}`)}</p>`,
        )
        await ann.call(editMessage, { message_id, topic: 'lunch' })
        const { messages } = await ann.call(getMessages, {
          ...{ anchor: 'newest', num_before: 1, num_after: 0 },
          narrow: [['channel', open.name]],
        })
        expect(messages.at(-1)?.content).toContain('&gt; <em>general chat</em></a>')
      })
    })

    test('keeps serving others while hostile texts are rendered', async () => {
      const hostile = Array.from({ length: 2 }, (_, i) => render(`\`\`\`ini\n${'d_'.repeat(4_900)}${i}`))
      let isDone = false
      const all = Promise.all(hostile).finally(() => {
        isDone = true
      })

      let answered = 0
      while (!isDone) {
        const { rendered } = await ben.call(renderMessage, { content: '*quick*' })
        expect(rendered).toBe('<p><em>quick</em></p>')
        answered += 1
      }

      // Before, between and after the hostile ones there would be three.
      expect(answered).toBeGreaterThan(5)
      for (const html of await all) expect(html).toContain('data-code-language="INI"')
    })

    describe('the preview of an uploaded picture', () => {
      const upload = (content: string | Uint8Array<ArrayBuffer>, name = 'a.png') =>
        uploadTo(ann, { content, name })
      const contentOf = async (message_id: number) =>
        (await ben.call(getMessage, { message_id })).message.content
      const previewOf = (url: string, dimensions: string, type = 'image/png') =>
        `<a href="${url}" title="picture"><img data-original-content-type="${type}" data-original-dimensions="${dimensions}" src="${url}"></a>`
      const NO_DIMENSIONS = expect.not.stringContaining('data-original-dimensions')

      test('has its displayed dimensions in the event, the message, a preview and a scheduled message', async () => {
        const sideways = await upload(rotatedPicture, 'a.jpg')
        const content = `[picture](${sideways})`
        const expected = expect.stringContaining(previewOf(sideways, '2x3', 'image/jpeg'))
        const watcher = await watch(ben, { event_types: ['message'], apply_markdown: true })
        let id = 0

        const [ownEvents] = await eventsOf(system(), [watcher], async () => {
          id = await sendToChannel(ann, channel.name, content)
        })
        await stopWatching([watcher])
        await ann.call(createScheduledMessage, {
          ...{ type: 'direct', to: [ben.userId], content },
          scheduled_delivery_timestamp: secondsFromNow(86_400),
        })

        expect(ownEvents).toMatchObject([{ message: { content: expected } }])
        expect(await contentOf(id)).toEqual(expected)
        expect(await render(content)).toEqual(expected)
        expect((await ann.call(listScheduledMessages, {})).scheduled_messages).toMatchObject([
          { rendered_content: expected },
        ])
      })

      test('has dimensions for each of several pictures, by path or address, and after an edit', async () => {
        const [png, gif] = [await upload(onePixel), await upload(twoFrames, 'Bild „ä“.gif')]
        const id = await sendToChannel(ann, channel.name, 'nothing yet')

        await ann.call(editMessage, {
          message_id: id,
          content: `[picture](${png}) and ${system().baseUrl}${encodeURI(gif)}.`,
        })

        const html = await contentOf(id)
        expect(html).toContain(previewOf(png, '1x1'))
        expect(html).toContain(
          `<img data-original-content-type="image/gif" data-original-dimensions="1x1" src="${encodeURI(gif)}"></a>`,
        )
      })

      test('has none if the file is not a picture, or not on this server', async () => {
        const fake = await upload('no picture')
        const cut = await upload(rotatedPicture.slice(0, 60), 'cut.jpg')
        const video = await upload(onePixel, 'film.mp4')
        const own = await upload(onePixel)

        const html = await render(
          `[a](${fake}) [b](${cut}) [c](${video}) [d](https://other.example${own}) [e](${own}x)`,
        )

        expect(html).toEqual(NO_DIMENSIONS)
        expect(html.match(/<(?:img|video)/g)).toHaveLength(4)
      })

      test('has them only for users with access', async () => {
        const url = await upload(onePixel)
        const content = `[picture](${url})`
        const renderAsBen = async () => (await ben.call(renderMessage, { content })).rendered

        expect(await renderAsBen()).toEqual(NO_DIMENSIONS)
        expect(await contentOf(await sendToChannel(ben, channel.name, content))).toEqual(NO_DIMENSIONS)
        await sendDirectly(ann, [ben], content)

        expect(await renderAsBen()).toContain(previewOf(url, '1x1'))
        const foreignUser = await (await newOrganization(system())).createUser()
        const elsewhere = `${content} [again](${system().baseUrl}${url})`
        expect((await foreignUser.call(renderMessage, { content: elsewhere })).rendered).toEqual(
          NO_DIMENSIONS,
        )
      })
    })
  })
}
