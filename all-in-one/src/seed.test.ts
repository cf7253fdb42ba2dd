import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { markMigrated, markSeed, seedData } from './seed.ts'
import type { Places } from './settings.ts'

const VERSION = join('postgres', 'cluster', 'PG_VERSION')
const LOCK = join('postgres', 'cluster', 'postmaster.pid')

let folder = ''
let places: Places
const inData = (name: string): string => join(places.dataDir, name)
const write = (path: string, text = ''): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seed-'))
  places = { root: folder, dataDir: join(folder, 'data'), seedDir: join(folder, 'seed') }
  write(join(places.seedDir, VERSION), '17\n')
  write(join(places.seedDir, 'keys', 'a.pem'), 'a key')
  markSeed(places)
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('a folder gets what was made with the image', () => {
  test.each([
    ['that is not there yet', () => {}],
    ['that is empty', () => mkdirSync(places.dataDir)],
    ['of a fresh file system', () => mkdirSync(inData('lost+found'), { recursive: true })],
  ])('%s', (_, prepare) => {
    prepare()

    expect(seedData(places)).toEqual({ isMigrated: true })
    expect(readFileSync(inData('keys/a.pem'), 'utf8')).toBe('a key')
    expect(readdirSync(places.dataDir)).not.toContain('seeding')
  })

  test('where a copy was cut short, anew', () => {
    write(inData('seeding'))
    write(inData('redis/half'))

    expect(seedData(places)).toEqual({ isMigrated: true })
    expect(existsSync(inData('redis'))).toBe(false)
    expect(existsSync(inData('keys/a.pem'))).toBe(true)
  })
})

test('what others have in the folder stays there, and nothing starts', () => {
  write(inData('thesis/chapter-1'), 'years of work')
  write(inData('lost+found/found'))

  expect(() => seedData(places)).toThrow(`${places.dataDir} holds thesis, which no container of this image`)
  expect(readFileSync(inData('thesis/chapter-1'), 'utf8')).toBe('years of work')
  expect(readdirSync(places.dataDir).sort()).toEqual(['lost+found', 'thesis'])
})

describe('data of an earlier start', () => {
  beforeEach(() => {
    seedData(places)
    write(inData('keys/a.pem'), 'their key')
  })

  test('stay as they are, though PostgreSQL does not see itself running', () => {
    write(inData(LOCK), '12')

    expect(seedData(places)).toEqual({ isMigrated: true })
    expect(readFileSync(inData('keys/a.pem'), 'utf8')).toBe('their key')
    expect(existsSync(inData(LOCK))).toBe(false)
  })

  test('of another image are migrated, once', () => {
    markSeed(places)

    expect(seedData(places)).toEqual({ isMigrated: false })
    expect(seedData(places)).toEqual({ isMigrated: false })
    markMigrated(places)
    expect(seedData(places)).toEqual({ isMigrated: true })
    expect(readFileSync(inData('keys/a.pem'), 'utf8')).toBe('their key')
  })

  test('of an image from before there were builds are migrated, too', () => {
    write(inData('seeded'))

    expect(seedData(places)).toEqual({ isMigrated: false })
  })

  test('of another PostgreSQL are refused', () => {
    write(inData(VERSION), '15\n')

    expect(() => seedData(places)).toThrow('data of PostgreSQL 15, and this image has 17')
  })
})
