import { describe, expect, test } from '@jest/globals'
import { renderDescription } from './render-description.ts'

describe('renderDescription', () => {
  test('says something when there is no description', () => {
    expect(renderDescription('  ')).toMatch(/^<p>.+<\/p>$/)
  })

  test('makes paragraphs and keeps line breaks', () => {
    expect(renderDescription('One\ntwo\n\nThree')).toBe('<p>One<br>\ntwo</p>\n<p>Three</p>')
  })

  test('never lets markup through', () => {
    expect(renderDescription('<script>"&\'</script>')).toBe(
      '<p>&lt;script&gt;&quot;&amp;&#x27;&lt;/script&gt;</p>',
    )
  })
})
