import { describe, expect, test } from '@jest/globals'
import { topicLinks } from './topic-links.ts'

describe('the links of a topic', () => {
  test('are its addresses, in order', () => {
    expect(topicLinks('see https://e.com/a, (http://f.org) and HTTPS://G.net', [])).toEqual([
      { text: 'https://e.com/a', url: 'https://e.com/a' },
      { text: 'http://f.org', url: 'http://f.org' },
      { text: 'HTTPS://G.net', url: 'HTTPS://G.net' },
    ])
  })

  test.each(['', 'release 1.0', 'example.com', 'a@e.com', 'javascript:alert(1)', '\uD800'])(
    '%j has none',
    (topic) => {
      expect(topicLinks(topic, [])).toEqual([])
    },
  )
})
