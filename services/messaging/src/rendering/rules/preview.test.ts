import { describe, expect, test } from 'vitest'
import { createMentionLookup } from '../../kernel/rendering/mention-lookup.ts'
import { plainSettings } from '../../kernel/rendering/rendering-settings.ts'
import { renderMarkdown } from '../render-markdown.ts'

const settings = { ...plainSettings, showsPreviews: true, realmUrl: 'https://chat.e.com' }
const render = (content: string) => renderMarkdown(content, createMentionLookup({}), settings)
const html = (content: string) => render(content).html
const URL = 'https://e.com/a.png'
const IMAGE = `<div class="message_inline_image"><a href="${URL}" title="${URL}"><img src="${URL}"></a></div>`

describe('a picture', () => {
  test('replaces a paragraph that is nothing but its address', () => {
    expect(html(URL)).toBe(IMAGE)
    expect(html(`- ${URL}`).replaceAll('\n', '')).toBe(`<ul><li>${IMAGE}</li></ul>`)
  })

  test('stands below a paragraph with more than its address', () => {
    expect(html(`see ${URL}`)).toBe(`<p>see <a href="${URL}">${URL}</a></p>\n${IMAGE}`)
  })

  test('has the text of the link for a title, escaped', () => {
    expect(html('[my "cat"](/user_uploads/2/ab/cd/cat.png)')).toContain(
      '<div class="message_inline_image"><a href="/user_uploads/2/ab/cd/cat.png" title="my &quot;cat&quot;">' +
        '<img src="/user_uploads/2/ab/cd/cat.png"></a></div>',
    )
  })

  test('of a page is shown from its own URL, and leads to the page', () => {
    expect(html('see https://github.com/o/r/blob/main/a.png')).toContain(
      '<a href="https://github.com/o/r/blob/main/a.png" title="https://github.com/o/r/blob/main/a.png">' +
        '<img src="https://raw.githubusercontent.com/o/r/main/a.png"></a>',
    )
  })

  test('is shown once, however often it is linked to', () => {
    expect(html(`a ${URL} ${URL}\n\n${URL}`).match(/<img/g)).toHaveLength(1)
  })

  test.each([
    ['in a heading', `# ${URL}`, `</h1>\n${IMAGE}`],
    ['below a table', `|a|b|\n|-|-|\n|${URL}|x|\n\nc`, `</table>\n${IMAGE}\n<p>c</p>`],
    ['in a spoiler', `\`\`\`spoiler\n${URL}\n\`\`\``, `aria-hidden="true">\n${IMAGE}\n</div>`],
    ['in bold', `**${URL}**`, `</strong></p>\n${IMAGE}`],
  ])('is shown %s', (_, content, expected) => {
    expect(html(content)).toContain(expected)
  })

  test.each([`> ${URL}`, `\`\`\`quote\n${URL}\n\`\`\``, `\`${URL}\``, `\`\`\`\n${URL}\n\`\`\``])(
    'is not shown for %j',
    (content) => {
      expect(html(content)).not.toContain('<img')
    },
  )

  test('is not shown in an organization that wants none', () => {
    const { html: rendered } = renderMarkdown(URL, createMentionLookup({}))

    expect(rendered).toBe(`<p><a href="${URL}">${URL}</a></p>`)
  })

  test('is not shown among more than 24 addresses', () => {
    const links = (count: number) =>
      Array.from({ length: count }, (_, i) => `a https://e.com/${i}.png`).join('\n')

    expect(html(links(24)).match(/<img/g)).toHaveLength(24)
    expect(html(links(25))).not.toContain('<img')
  })
})

describe('an uploaded picture', () => {
  const pathId = '2/ab/0123456789abcdefABCDEF-_/cät (1).png'
  const pictures = [
    { pathId, contentType: 'image/png', width: 640, height: 480 },
    { pathId: '2/ab/0123456789abcdefABCDEF-_/a.mp4', contentType: 'video/mp4', width: 640, height: 480 },
  ]
  const withPictures = (content: string, realmUrl = 'https://chat.e.com') =>
    renderMarkdown(content, createMentionLookup({ pictures }), { ...settings, realmUrl }).html
  const path = `/user_uploads/${encodeURI(pathId)}`

  test('has its type and dimensions where they are known', () => {
    expect(withPictures(`[cat](<${path}>)`)).toContain(
      `<a href="${path}" title="cat"><img data-original-content-type="image/png" data-original-dimensions="640x480" src="${path}"></a>`,
    )
    expect(html(`[cat](<${path}>)`)).toContain(`<img src="${path}">`)
  })

  test('has them by its full address in its own organization, not by the same path elsewhere', () => {
    expect(withPictures(`[cat](<https://chat.e.com${path}>)`)).toContain('data-original-dimensions="640x480"')
    expect(withPictures(`[cat](<https://other.e.com${path}>)`)).not.toContain('data-original-dimensions')
  })

  test('has none if it is no picture that is shown', () => {
    const video = '/user_uploads/2/ab/0123456789abcdefABCDEF-_/a.mp4'

    expect(withPictures(`[film](${video})`)).toContain(`<video preload="metadata" src="${video}">`)
    expect(withPictures(`[film](${video})`)).not.toContain('data-original-dimensions')
  })
})

describe('a video', () => {
  test('is shown by its address', () => {
    expect(html('/x https://e.com/a.mp4')).toContain(
      '<div class="message_inline_image message_inline_video"><a href="https://e.com/a.mp4" title="https://e.com/a.mp4">' +
        '<video preload="metadata" src="https://e.com/a.mp4"></video></a></div>',
    )
  })

  test('of YouTube is a picture below its address', () => {
    expect(html('https://youtu.be/dQw4w9WgXcQ')).toBe(
      '<p><a href="https://youtu.be/dQw4w9WgXcQ">https://youtu.be/dQw4w9WgXcQ</a></p>\n' +
        '<div class="youtube-video message_inline_image"><a data-id="dQw4w9WgXcQ" href="https://youtu.be/dQw4w9WgXcQ">' +
        '<img src="https://i.ytimg.com/vi/dQw4w9WgXcQ/mqdefault.jpg"></a></div>',
    )
  })
})

test('a rendering lists the uploads that it links', () => {
  expect(
    render('[a](/user_uploads/2/ab/cd/a.txt) > https://chat.e.com/user_uploads/2/ab/cd/b%20c.png'),
  ).toMatchObject({
    uploadPathIds: ['2/ab/cd/a.txt', '2/ab/cd/b c.png'],
  })
  expect(render('`https://e.com/a.png` /user_uploads/2/ab/cd/a.txt')).toMatchObject({
    uploadPathIds: [],
  })
})
