import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { read, repoRoot } from './support/repository.ts'

const CHART = 'deploy/helm/team-messaging-service'
const SCRIPT = join(repoRoot, 'deploy/kubernetes/make-secrets.sh')

interface SecretSchema {
  readonly anyOf: readonly { readonly required?: string[] }[]
  readonly properties: Readonly<Record<string, unknown>>
}

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

test('values.yaml of the chart lists the keys of the Secret, required and optional', () => {
  const { properties } = JSON.parse(read(`${CHART}/values.schema.json`)) as {
    properties: { secrets: { properties: { values: SecretSchema } } }
  }
  const { anyOf, properties: keys } = properties.secrets.properties.values
  const required = anyOf.flatMap((choice) => choice.required ?? [])
  const comment = /Required keys:\n([^]*?)# Optional keys:\n([^]*?)^ {2}values:/m.exec(
    read(`${CHART}/values.yaml`),
  )
  const [listedAsRequired, listedAsOptional] = [comment?.[1], comment?.[2]].map((part) =>
    part?.match(/[A-Z][A-Z0-9_]+/g),
  )

  expect(listedAsRequired?.toSorted()).toEqual(required.toSorted())
  expect(listedAsOptional?.toSorted()).toEqual(
    Object.keys(keys)
      .filter((key) => !required.includes(key))
      .sort(),
  )
})
