import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { markMigrated, markSeed, seedData } from './seed.ts'
import type { Paths } from './settings.ts'

const VERSION = join('postgres', 'cluster', 'PG_VERSION')
const LOCK = join('postgres', 'cluster', 'postmaster.pid')

let folder = ''
let paths: Paths
const inDataDir = (name: string): string => join(paths.dataDir, name)
const write = (path: string, text = ''): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seed-'))
  paths = { root: folder, dataDir: join(folder, 'data'), seedDir: join(folder, 'seed') }
  write(join(paths.seedDir, VERSION), '17\n')
  write(join(paths.seedDir, 'keys', 'a.pem'), 'a key')
  markSeed(paths)
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('the seed is copied into a folder', () => {
  test.each([
    ['that does not exist', () => {}],
    ['that is empty', () => mkdirSync(paths.dataDir)],
    ['of a new file system', () => mkdirSync(inDataDir('lost+found'), { recursive: true })],
  ])('%s', (_, prepare) => {
    prepare()

    expect(seedData(paths)).toEqual({ isMigrated: true })
    expect(readFileSync(inDataDir('keys/a.pem'), 'utf8')).toBe('a key')
    expect(readdirSync(paths.dataDir)).not.toContain('seeding')
  })

  test('again after an incomplete copy', () => {
    write(inDataDir('seeding'))
    write(inDataDir('redis/half'))

    expect(seedData(paths)).toEqual({ isMigrated: true })
    expect(existsSync(inDataDir('redis'))).toBe(false)
    expect(existsSync(inDataDir('keys/a.pem'))).toBe(true)
  })
})

test('foreign files in the folder stay, and nothing starts', () => {
  write(inDataDir('thesis/chapter-1'), 'years of work')
  write(inDataDir('lost+found/found'))

  expect(() => seedData(paths)).toThrow(`${paths.dataDir} holds thesis, which were not created by this image`)
  expect(readFileSync(inDataDir('thesis/chapter-1'), 'utf8')).toBe('years of work')
  expect(readdirSync(paths.dataDir).sort()).toEqual(['lost+found', 'thesis'])
})

describe('data of an earlier start', () => {
  beforeEach(() => {
    seedData(paths)
    write(inDataDir('keys/a.pem'), 'their key')
  })

  test('stay unchanged, and the lock of PostgreSQL is removed', () => {
    write(inDataDir(LOCK), '12')

    expect(seedData(paths)).toEqual({ isMigrated: true })
    expect(readFileSync(inDataDir('keys/a.pem'), 'utf8')).toBe('their key')
    expect(existsSync(inDataDir(LOCK))).toBe(false)
  })

  test('of another image are migrated once', () => {
    markSeed(paths)

    expect(seedData(paths)).toEqual({ isMigrated: false })
    expect(seedData(paths)).toEqual({ isMigrated: false })
    markMigrated(paths)
    expect(seedData(paths)).toEqual({ isMigrated: true })
    expect(readFileSync(inDataDir('keys/a.pem'), 'utf8')).toBe('their key')
  })

  test('without a build ID are migrated, too', () => {
    write(inDataDir('seeded'))

    expect(seedData(paths)).toEqual({ isMigrated: false })
  })

  test('of another major version of PostgreSQL are rejected', () => {
    write(inDataDir(VERSION), '15\n')

    expect(() => seedData(paths)).toThrow('data of PostgreSQL 15, and this image has 17')
  })
})
