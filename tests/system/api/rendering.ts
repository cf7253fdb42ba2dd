import { endpoints } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal } from '../support/answers.ts'
import { uploadTo } from '../support/files.ts'
import { newOrganization } from '../support/other-organization.ts'
import { onePixel, rotatedPicture, twoFrames } from '../support/pictures.ts'
import {
  newChannel,
  newUsers,
  secondsFromNow,
  sendDirectly,
  sendToChannel,
} from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, watch } from '../support/watch.ts'

const { createScheduledMessage, editMessage, getMessage, listScheduledMessages, renderMessage } =
  endpoints.messaging

export const renderingTests = (system: () => TestSystem): void => {
  describe('rendering', () => {
    let ann: ApiClient
    let ben: ApiClient
    let channel: { name: string }
    beforeAll(async () => {
      const [first, second] = await newUsers(system(), 2)
      ann = first as ApiClient
      ben = second as ApiClient
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

      // Sequential ones between the hostile ones would be few.
      expect(answered).toBeGreaterThan(20)
      for (const html of await all) expect(html).toContain('data-code-language="INI"')
    })

    describe('the preview of an uploaded picture', () => {
      const upload = (content: string | Uint8Array<ArrayBuffer>, name = 'a.png') =>
        uploadTo(ann, { content, name })
      const contentOf = async (message_id: number) =>
        (await ben.call(getMessage, { message_id })).message.content
      const previewOf = (url: string, dimensions: string) =>
        `<a href="${url}" title="picture"><img data-original-dimensions="${dimensions}" src="${url}"></a>`
      const NO_DIMENSIONS = expect.not.stringContaining('data-original-dimensions')

      test('has its displayed dimensions in the event, the message, a preview and a scheduled message', async () => {
        const sideways = await upload(rotatedPicture, 'a.jpg')
        const content = `[picture](${sideways})`
        const expected = expect.stringContaining(previewOf(sideways, '2x3'))
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
        expect(html).toContain(`<img data-original-dimensions="1x1" src="${encodeURI(gif)}"></a>`)
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
