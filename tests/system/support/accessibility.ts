import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Accessibility violations of a page that a program can detect (WCAG 2.2 AA). */
export async function violationsOn(page: Page): Promise<string[]> {
  await page.addScriptTag({ content: axeSource })
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; help: string }[] }> }
    }
    const { violations } = await axe.run()
    return violations.map(({ id, help }) => `${id}: ${help}`)
  })
}
