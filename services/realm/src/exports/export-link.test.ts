import { describe, expect, test } from 'vitest'
import { createExportLinks } from './export-link.ts'

const EXPORT = 7
const now = new Date('2030-01-01T00:00:00Z')
const after = (seconds: number) => new Date(now.getTime() + seconds * 1_000)

describe('links to exports', () => {
  test('expire after a day', () => {
    const links = createExportLinks('secret')
    const token = links.tokenOf(EXPORT, now)

    expect(links.isValid(EXPORT, token, after(86_399))).toBe(true)
    expect(links.isValid(EXPORT, token, after(86_400))).toBe(false)
  })

  test('are invalid for another export and with another secret', () => {
    const links = createExportLinks('secret')

    expect(links.isValid(EXPORT + 1, links.tokenOf(EXPORT, now), now)).toBe(false)
    expect(links.isValid(EXPORT, createExportLinks('another').tokenOf(EXPORT, now), now)).toBe(false)
  })
})
