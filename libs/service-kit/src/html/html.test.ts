import { describe, expect, test } from 'vitest'
import { html } from './html.ts'

describe('an HTML template', () => {
  test('escapes values, also within attributes', () => {
    const name = `<script>"a" & 'b'`

    expect(html`<p title="${name}">${name}</p>`.text).toBe(
      '<p title="&lt;script&gt;&quot;a&quot; &amp; &#x27;b&#x27;">&lt;script&gt;&quot;a&quot; &amp; &#x27;b&#x27;</p>',
    )
  })

  test('inserts markup unescaped, joins lists, and omits absent values', () => {
    const items = ['<', 1].map((item) => html`<li>${item}</li>`)

    expect(html`<ul>${items}</ul>${null}${false}`.text).toBe('<ul><li>&lt;</li><li>1</li></ul>')
  })
})
