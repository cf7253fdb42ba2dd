import { fullExportRoles, Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { checkMayAccess, checkMayStart } from './export.rules.ts'
import { createExportLinks } from './export-link.ts'

const now = new Date('2026-03-08T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
const made = (days: number) => ({ createdAt: daysAgo(days), finishedAt: daysAgo(days), failedAt: null })
const failed = { createdAt: now, finishedAt: null, failedAt: now }
const running = { createdAt: now, finishedAt: null, failedAt: null }

describe('an export may be begun', () => {
  test.each([
    ['when there was none', [], true],
    ['beside failed ones', [failed, failed, failed], true],
    ['when others are a week old', [made(7), made(7.5), made(1)], true],
    ['not while one runs', [running], false],
    ['not when there were as many as may be within a week', [made(6.9), made(0)], false],
  ])('%s', (_, existing, may) => {
    const check = () => checkMayStart(existing, now, 2)
    if (may) expect(check).not.toThrow()
    else expect(check).toThrow()
  })

  test.each([
    ['public', Role.administrator, fullExportRoles.nobody, true],
    ['consent', Role.administrator, fullExportRoles.nobody, true],
    ['full', Role.owner, fullExportRoles.owners, true],
    ['full', Role.administrator, fullExportRoles.owners, false],
    ['full', Role.administrator, fullExportRoles.administrators, true],
    ['full', Role.owner, fullExportRoles.nobody, false],
  ])('a %s one by role %i where %i may have full ones: %s', (scope, role, fullRole, may) => {
    const check = () => checkMayAccess(scope, role, fullRole)
    if (may) expect(check).not.toThrow()
    else expect(check).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED_PRINCIPAL' }))
  })
})

describe('a link to an archive', () => {
  const links = createExportLinks('a secret')
  const token = links.tokenOf(7, now)

  test('is valid for a day, at every replica', () => {
    expect(links.isValid(7, token, daysAgo(-0.99))).toBe(true)
    expect(createExportLinks('a secret').isValid(7, token, now)).toBe(true)
    expect(links.isValid(7, token, daysAgo(-1))).toBe(false)
  })

  test('is invalid for another archive, with a later expiry, or with a guessed signature', () => {
    const later = token.replace(/^\d+/, (until) => String(Number(until) + 1))
    expect(links.isValid(8, token, now)).toBe(false)
    for (const guess of [
      later,
      '',
      '1',
      token.slice(0, -1),
      `${token}x`,
      createExportLinks('other').tokenOf(7, now),
    ])
      expect(links.isValid(7, guess, now)).toBe(false)
  })
})
