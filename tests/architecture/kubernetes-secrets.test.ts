import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { repoRoot } from './support/repository.ts'

const SCRIPT = join(repoRoot, 'deploy/kubernetes/make-secrets.sh')

describe('deploy/kubernetes/make-secrets.sh', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'secrets-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const makeSecrets = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('sh', [SCRIPT, ...args], { cwd: folder, encoding: 'utf8' })
    return { status, stdout, stderr }
  }

  test.each([
    ['secrets.env', []],
    ['mine.env', ['mine.env']],
  ])('writes %s once, readable only by its owner', (name, args) => {
    const path = join(folder, name)

    expect(makeSecrets(...args)).toEqual({ status: 0, stdout: `wrote ${name}\n`, stderr: '' })

    const text = readFileSync(path, 'utf8')
    expect(text).toMatch(/^JWT_PRIVATE_KEY=-----BEGIN PRIVATE KEY-----\\n/)
    expect(text).toContain('\nREDIS_URL=redis://')
    expect(statSync(path).mode & 0o777).toBe(0o600)

    expect(makeSecrets(...args)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining(`${name} exists already`),
    })
    expect(readFileSync(path, 'utf8')).toBe(text)
  })
})
