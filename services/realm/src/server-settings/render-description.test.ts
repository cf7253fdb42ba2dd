import { describe, expect, test } from 'vitest'
import { renderDescription } from './render-description.ts'

describe('renderDescription', () => {
  test('has a default text if there is no description', () => {
    expect(renderDescription('  ')).toMatch(/^<p>.+<\/p>$/)
  })

  test('makes paragraphs and keeps line breaks', () => {
    expect(renderDescription('One\ntwo\n\nThree')).toBe('<p>One<br>\ntwo</p>\n<p>Three</p>')
  })

  test('renders Markdown, and shows HTML as typed', () => {
    expect(renderDescription('**Sales** <script>')).toBe('<p><strong>Sales</strong> &lt;script&gt;</p>')
  })
})
