import { describe, expect, test } from 'vitest'
import { topicLinks } from './topic-links.ts'

describe('the links of a topic', () => {
  test('are its addresses, in order', () => {
    expect(topicLinks('see https://e.com/a, (http://f.org) and HTTPS://G.net', [])).toEqual([
      { text: 'https://e.com/a', url: 'https://e.com/a' },
      { text: 'http://f.org', url: 'http://f.org' },
      { text: 'HTTPS://G.net', url: 'HTTPS://G.net' },
    ])
  })

  test('are what linkifiers make of the rest, too', () => {
    const linkifiers = [{ pattern: '#(?P<id>[0-9]+)', url_template: 'https://e.com/issues/{id}' }]

    expect(topicLinks('#2 after https://e.com/#1 and #3', linkifiers)).toEqual([
      { text: '#2', url: 'https://e.com/issues/2' },
      { text: 'https://e.com/#1', url: 'https://e.com/#1' },
      { text: '#3', url: 'https://e.com/issues/3' },
    ])
    expect(topicLinks('#2', [])).toEqual([])
  })

  test.each(['', 'release 1.0', 'example.com', 'a@e.com', 'javascript:alert(1)', '\uD800'])(
    '%j has none',
    (topic) => {
      expect(topicLinks(topic, [])).toEqual([])
    },
  )
})
