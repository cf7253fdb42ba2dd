import { describe, expect, test } from 'vitest'
import { renderDescription } from './render-description.ts'

describe('renderDescription', () => {
  test('says something when there is no description', () => {
    expect(renderDescription('  ')).toMatch(/^<p>.+<\/p>$/)
  })

  test('makes paragraphs and keeps line breaks', () => {
    expect(renderDescription('One\ntwo\n\nThree')).toBe('<p>One<br>\ntwo</p>\n<p>Three</p>')
  })

  test('renders what is written in Markdown, and shows HTML as it was typed', () => {
    expect(renderDescription('**Sales** <script>')).toBe('<p><strong>Sales</strong> &lt;script&gt;</p>')
  })
})
