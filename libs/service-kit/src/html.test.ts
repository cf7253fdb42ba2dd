import { describe, expect, test } from 'vitest'
import { html } from './html.ts'

describe('a template of markup', () => {
  test('escapes what is filled in, within attributes too', () => {
    const name = `<script>"a" & 'b'`

    expect(html`<p title="${name}">${name}</p>`.text).toBe(
      '<p title="&lt;script&gt;&quot;a&quot; &amp; &#x27;b&#x27;">&lt;script&gt;&quot;a&quot; &amp; &#x27;b&#x27;</p>',
    )
  })

  test('takes markup as it is, joins lists, and leaves out what is not there', () => {
    const items = ['<', 1].map((item) => html`<li>${item}</li>`)

    expect(html`<ul>${items}</ul>${null}${false}`.text).toBe('<ul><li>&lt;</li><li>1</li></ul>')
  })
})
