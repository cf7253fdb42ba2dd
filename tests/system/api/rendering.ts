import { beforeAll, describe, expect, test } from '@jest/globals'
import { endpoints } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { refusal } from '../support/answers.ts'
import { newChannel, newUsers, say } from '../support/people.ts'

const { getMessage, renderMessage } = endpoints.messaging

export const renderingTests = (system: () => TestSystem): void =>
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

    test('a message reads the same for everyone as its sender previewed it', async () => {
      const content = ':octopus: $$x^2$$ https://example.com/cat.png\n```py\npass\n```'
      const id = await say(ann, channel.name, content)

      const { message } = await ben.call(getMessage, { message_id: id })

      expect(message.content).toBe(await render(content))
      expect(message.content).toContain('<span class="katex">')
      expect(message.content).toContain('class="emoji emoji-1f419"')
      expect(message.content).toContain('data-code-language="Python"')
      expect(message.content).toContain(
        '<div class="message_inline_image"><a href="https://example.com/cat.png"',
      )
    })

    test('a long text is rendered like a short one', async () => {
      const paragraph = 'so $$x^2$$ :octopus: **b**\n\n'
      const short = await render(paragraph)

      expect(await render(paragraph.repeat(80))).toBe(Array.from({ length: 80 }, () => short).join('\n'))
    })

    test('a text that would become far longer is refused', async () => {
      const content = `\`\`\`math\n\\begin{matrix}${'a&'.repeat(4_900)}\\end{matrix}\n\`\`\``

      expect(await ann.request('POST', '/messages/render', [['content', content]])).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })

    test('others are answered while hostile texts are rendered', async () => {
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

      // One after another between the hostile ones, a few would be.
      expect(answered).toBeGreaterThan(20)
      for (const html of await all) expect(html).toContain('data-code-language="INI"')
    })
  })
